import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { acme, alice, botApp } from "./support/acme.ts";
import { TEST_CA } from "./support/certificates.ts";
import { type Engine, onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { type ServerProcess, startProcess } from "./support/process.ts";
import { type Received, startReceiver } from "./support/receiver.ts";
import { LOOPBACK_CALLBACKS, subscribe, until } from "./support/webhooks.ts";
import { World } from "./support/world.ts";

const KILLS = 6;
const KILLED_AT_WAKE_UP = new URL("support/killed-at-wake-up.ts", import.meta.url).href;
const KILLED_AT_HAND_OVER = new URL("support/killed-at-hand-over.ts", import.meta.url).href;

onBothEngines("the webhook engine, killed", (engine, test) => {
  test("before the connection, after it, and before the result is stored: every event of an acknowledged message is received", async (t) => {
    const { receiver, env } = await prepare(t, engine);
    let server: ServerProcess = await startProcess(env);
    t.after(() => server.end("SIGKILL"));

    const acknowledged: string[] = [];
    let kills = 0;
    for (; kills < KILLS; kills++) {
      const member = await MemberClient.signIn(server, alice);
      let [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const count = receiver.requests.length;
      // The moment of the kill: when messages are acknowledged, when a request has arrived, when it has been answered.
      const moment = (["at once", "at the receiver", "after the answer"] as const)[kills % 3];
      receiver.respond = async (_received: Received, response) => {
        arrived.resolve();
        if (moment === "at the receiver") await held.promise;
        response.end();
        if (moment === "after the answer") arrived.resolve();
      };
      for (let n = 0; n < 10; n++) {
        const text = randomUUID();
        const answer = await member
          .post("conversations/bot:app_bot/messages", { msgType: "text", content: { text } })
          .catch(() => null);
        if (answer?.status === 200) acknowledged.push(text);
      }
      if (moment !== "at once") await arrived.promise;
      assert.equal(await server.end("SIGKILL"), "SIGKILL");
      held.resolve();
      [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      receiver.respond = (_received, response) => void response.end();
      assert.ok(moment === "at once" || receiver.requests.length > count);
      server = await startProcess(env);
    }
    await until(() => {
      const texts = new Set(receiver.requests.map(textOf));
      return acknowledged.every((text) => texts.has(text));
    }, "every acknowledged message is received");
    assert.equal(acknowledged.length, KILLS * 10);

    const byText = Map.groupBy(receiver.requests, textOf);
    for (const received of byText.values()) {
      const ids = new Set(received.map(({ headers }) => headers["x-open-event-id"]));
      assert.equal(ids.size, 1, "the same event id at every delivery");
      assert.ok(received.length <= 1 + kills, "no more duplicates than kills");
    }
  });

  test("at least once: a committed event is queued even if the process is killed before any wake-up", async (t) => {
    const { receiver, env } = await prepare(t, engine);
    const doomed = await startProcess({ ...env, NODE_OPTIONS: `--import=${KILLED_AT_WAKE_UP}` });
    t.after(() => doomed.end("SIGKILL"));
    const member = await MemberClient.signIn(doomed, alice);
    const ended = doomed.ended();
    const fact = { msgType: "text", content: { text: "committed" } };
    await member.post("conversations/bot:app_bot/messages", fact).catch(() => null);
    assert.equal(await ended, "SIGKILL");
    assert.equal(receiver.requests.length, 0, "nobody was woken");

    const heir = await startProcess(env);
    t.after(() => heir.end("SIGKILL"));
    await until(() => receiver.requests.length > 0, "the event is received");
    assert.deepEqual(receiver.requests.map(textOf), ["committed"]);
  });

  test("at least once: a delivery that was claimed where it was written is attempted by another process when the lease has ended", async (t) => {
    const { receiver, env } = await prepare(t, engine);
    const doomed = await startProcess({ ...env, NODE_OPTIONS: `--import=${KILLED_AT_HAND_OVER}` });
    t.after(() => doomed.end("SIGKILL"));
    const member = await MemberClient.signIn(doomed, alice);
    // The first events are claimed by a poll; the others once the circuit is known to be closed.
    const said: string[] = [];
    for (let answer: unknown = true; answer !== null; ) {
      said.push(`${said.length}`);
      const fact = { msgType: "text", content: { text: said.at(-1) } };
      answer = await member.post("conversations/bot:app_bot/messages", fact).catch(() => null);
    }
    assert.equal(await doomed.ended(), "SIGKILL");
    const before = new Set(receiver.requests.map(textOf));
    assert.ok(!before.has(said.at(-1) ?? ""), "the last one was committed, and not attempted");

    const heir = await startProcess(env);
    t.after(() => heir.end("SIGKILL"));
    await until(() => {
      const received = new Set(receiver.requests.map(textOf));
      return said.every((text) => received.has(text));
    }, "every event is received");
  });
});

/** A receiver with a subscribed application, and the environment of the process that delivers to it. */
async function prepare(t: { after(fn: () => Promise<void>): void }, engine: Engine) {
  const receiver = await startReceiver();
  // Prepared by a process that ends before the killed one starts.
  // The killed processes check passwords against the hashes made by this one.
  const world = await World.create(engine, acme(botApp("app_bot")), LOOPBACK_CALLBACKS, { hashCost: undefined });
  t.after(async () => {
    await receiver.stop();
    await world.dispose();
  });
  await subscribe(world, "app_bot", receiver.url("/hook", "127.0.0.1"));
  await world.stop();

  const ca = join(world.env.PORTICO_DATA_DIR ?? "", "ca.pem");
  writeFileSync(ca, TEST_CA);
  const limits = { PORTICO_WEBHOOK_CONNECT_TIMEOUT: "500ms", PORTICO_WEBHOOK_READ_TIMEOUT: "500ms" };
  const port = String(await findFreePort());
  const env = { ...world.env, ...limits, PORTICO_PORT: port, NODE_EXTRA_CA_CERTS: ca, PORTICO_LOG_LEVEL: "warn" };
  return { receiver, env };
}

function textOf({ body }: Received): string {
  return JSON.parse(body.toString("utf8")).message.content.text;
}
