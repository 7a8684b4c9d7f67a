import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { acme, alice, bob, botApp, credentialsOf } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { type ServerProcess, startProcess } from "./support/process.ts";
import { SocketClient, subscribeBySocket } from "./support/socket-client.ts";
import { sendTogether } from "./support/together.ts";
import { deliveriesOf, sayTo, until, untilAll } from "./support/webhooks.ts";
import { World } from "./support/world.ts";

/** Kills of a client and of the service in the suite; `PORTICO_TEST_SOCKET_KILLS=20` for more. */
const KILLS = Number(process.env.PORTICO_TEST_SOCKET_KILLS ?? 4);

onBothEngines("socket mode, killed", (engine, test) => {
  test("client or service killed under load: every event of an acknowledged message is received and acknowledged once as new", async (t) => {
    const world = await World.create(engine, acme(botApp("app_bot")), {}, { hashCost: undefined });
    t.after(() => world.dispose());
    await subscribeBySocket(world, "app_bot");
    await world.stop();
    const start = async () => {
      const port = String(await findFreePort());
      return await startProcess({ ...world.env, PORTICO_PORT: port, PORTICO_LOG_LEVEL: "warn" });
    };
    const isDistributed = engine.name === "postgres";
    const servers: ServerProcess[] = [await start()];
    if (isDistributed) servers.push(await start());
    t.after(() => Promise.all(servers.map((server) => server.end("SIGKILL"))));

    const acknowledged: string[] = [];
    const seen = new Map<string, Set<string>>();
    const answering = (
      client: SocketClient,
      event: Parameters<SocketClient["ack"]>[0] & { body: string; eventId: string },
    ) => {
      const { text } = JSON.parse(event.body).message.content;
      seen.set(text, (seen.get(text) ?? new Set()).add(event.eventId));
      client.ack(event);
    };
    const open = (server: ServerProcess) =>
      SocketClient.open({ url: server.url, credentials: credentialsOf("app_bot"), answering });
    for (let kill = 0; kill < KILLS; kill++) {
      const client = await open(servers[kill % servers.length] as ServerProcess);
      client.socket.on("error", () => {});
      const talkers = await Promise.all(servers.map((server) => MemberClient.signIn(server, alice)));
      const victim = kill % 2 === 0 ? "client" : "service";
      const at = 5 + Math.floor(Math.random() * 20);
      const say = async (n: number) => {
        const text = randomUUID();
        const answer = await talkers[n % talkers.length]
          ?.post("conversations/bot:app_bot/messages", { msgType: "text", content: { text } })
          .catch(() => null);
        if (answer?.status === 200) acknowledged.push(text);
      };
      const load = Array.from({ length: 40 }, (_, n) => n);
      for (const n of load) {
        if (n === at && victim === "client") client.socket.terminate();
        if (n === at && victim === "service") {
          const index = kill % servers.length;
          void servers[index]?.end("SIGKILL");
        }
        await say(n);
      }
      if (victim === "service") {
        const index = kill % servers.length;
        await servers[index]?.end("SIGKILL");
        servers[index] = await start();
      }
      client.socket.terminate();
    }
    const last = await open(servers[0] as ServerProcess);
    t.after(() => last.close());
    await until(() => acknowledged.every((text) => seen.has(text)), "every acknowledged message is received");
    assert.ok(acknowledged.length >= KILLS * 20);
    for (const ids of seen.values()) assert.equal(ids.size, 1, "the same event id at every delivery");
  });
});

onBothEngines("socket mode at several processes", (engine, test) => {
  if (engine.name === "sqlite") return;

  test("a message to one process reaches a connection at another; what a dead connection's process had goes to others", async (t) => {
    const world = await World.create(engine, acme(botApp("app_bot"), botApp("app_two")));
    t.after(() => world.dispose());
    const other = await world.start();
    await subscribeBySocket(world, "app_bot");
    const client = await SocketClient.of(world, "app_bot", { url: other.url });
    t.after(() => client.close());
    await sayTo(world, "app_bot", "across", alice);
    await client.take(1);
    await untilAll(world, "app_bot", "DELIVERED");

    client.answering = "nothing";
    await sayTo(world, "app_bot", "held", alice);
    await client.take(2);
    const here = await SocketClient.of(world, "app_bot");
    t.after(() => here.close());
    await sayTo(world, "app_bot", "after", alice);
    await client.take(3);
    assert.equal(here.events.length, 0, "the conversation has its connection at the other process");
    // The lease of the other process ends, as if it had died.
    const { storage, webhooks } = world.portico.ctx;
    await storage.write(async (tx) => {
      const { connectionId } = await tx
        .selectFrom("deliveries")
        .select("connection_id as connectionId")
        .where("claimed", "=", 1)
        .executeTakeFirstOrThrow();
      await tx
        .updateTable("socket_connections")
        .set({ lease_until: 0 })
        .where("connection_id", "=", connectionId)
        .execute();
    });
    await webhooks.poll();
    await here.take(2);
    assert.deepEqual(here.texts, ["held", "after"]);
    await untilAll(world, "app_bot", "DELIVERED");
    assert.ok((await deliveriesOf(world, "app_bot")).every((row) => row.attempt_count === 1));
    // The process that is alive after all notices, and ends the connection.
    assert.equal((await client.closed).code, 1006);
  });

  test("connections at two processes share an application's events, each conversation in its order", async (t) => {
    const world = await World.create(engine, acme(botApp("app_two")));
    t.after(() => world.dispose());
    const other = await world.start();
    await subscribeBySocket(world, "app_two");
    const clients = [
      await SocketClient.of(world, "app_two"),
      await SocketClient.of(world, "app_two", { url: other.url }),
    ];
    t.after(() => Promise.all(clients.map((client) => client.close())));
    const members = await Promise.all([
      MemberClient.signIn({ url: world.url }, alice),
      MemberClient.signIn({ url: other.url }, bob),
    ]);
    for (let n = 0; n < 30; n++) {
      await Promise.all(
        members.map((member) =>
          member.api.postMessage({
            params: { conversationId: "group:g_team" },
            body: { msgType: "text", content: { text: `@bot ${n}`, mentions: ["app_two"] } },
          }),
        ),
      );
    }
    await until(() => clients.reduce((sum, { events }) => sum + events.length, 0) === 60, "all events");
    const seqs = clients.map(({ events }) => events.map(({ body }) => JSON.parse(body).message.msgSeq));
    assert.equal(seqs.filter((each) => each.length > 0).length, 1, "a conversation has one connection");
    for (const each of seqs) {
      assert.deepEqual(
        each,
        each.toSorted((a, b) => a - b),
      );
    }
    await untilAll(world, "app_two", "DELIVERED");
  });

  test("a connection that does not answer loses its conversations to one at another process, and its answers at the end count there", async (t) => {
    const env = { PORTICO_WEBHOOK_READ_TIMEOUT: "1s", PORTICO_WEBHOOK_RETRY_DELAYS: "1s" };
    const world = await World.create(engine, acme(botApp("app_bot")), env);
    t.after(() => world.dispose());
    const other = await world.start();
    await subscribeBySocket(world, "app_bot");
    const silent = await SocketClient.of(world, "app_bot", { answering: "nothing" });
    await sayTo(world, "app_bot", "one", alice);
    await silent.take(1);
    const healthy = await SocketClient.of(world, "app_bot", { url: other.url, answering: "nothing" });
    await until(async () => (await deliveriesOf(world, "app_bot"))[0]?.status === "RETRYING", "its time is over");
    await sayTo(world, "app_bot", "two", alice);
    world.clock.turn(1_000);
    await healthy.take(2);
    assert.deepEqual([silent.texts, healthy.texts.toSorted()], [["one"], ["one", "two"]]);
    const answers = healthy.events.map(({ deliveryId }) => ({ type: "ack", deliveryId }));
    sendTogether(healthy.socket, answers, 1000);
    assert.equal((await healthy.closed).code, 1000);
    assert.ok((await deliveriesOf(world, "app_bot")).every(({ status }) => status === "DELIVERED"));
    await silent.close();
  });
});
