import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientMessage } from "@portico/protocol";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { acme, alice, botApp, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { type ServerProcess, startProcess } from "./support/process.ts";

const KILLS = 10;
const WORKERS = 8;
const credentials = credentialsOf("app_bot");

/** A send whose acknowledgement has arrived. */
interface Acknowledged {
  text: string;
  messageId: number;
  msgSeq: number;
  nonce: string;
  timestamp: number;
}

/** The service that the senders call, and what it has acknowledged to them. */
class Target extends EventEmitter<{ acknowledged: [] }> {
  readonly url: string;
  readonly acknowledged: Acknowledged[] = [];
  isDone = false;
  /** Resolves when the service is up again; senders that spin instead take the processor that its start needs. */
  up: Promise<void> = Promise.resolve();

  constructor(url: string) {
    super();
    this.url = url;
  }

  async hasAcknowledged(count: number): Promise<void> {
    while (this.acknowledged.length < count) await once(this, "acknowledged");
  }
}

/** Sends texts one after another, through kills and restarts, until it is done. */
async function sendOn(target: Target): Promise<void> {
  while (!target.isDone) {
    const text = randomUUID();
    // As the SDK does: the same clientMessageId until an answer arrives, each try with a fresh nonce.
    while (!target.isDone) {
      const nonce = randomUUID();
      const timestamp = Date.now();
      const body = textBody(text, { clientMessageId: text });
      const sending = { method: "POST", target: MESSAGES, body, nonce, timestamp };
      const answer = await sendSigned(target.url, credentials, sending).catch((): Answer | null => null);
      if (answer === null) {
        await target.up;
        continue;
      }
      assert.ok(answer.status === 200, answer.text);
      const { messageId, msgSeq } = answer.json.value;
      target.acknowledged.push({ text, messageId, msgSeq, nonce, timestamp });
      target.emit("acknowledged");
      break;
    }
  }
}

onBothEngines("killed under load", (engine, test) => {
  test(`SIGKILL ten times: every acknowledged message exists exactly once, no nonce is accepted twice`, async (t) => {
    const instance = await engine.create();
    const port = String(await findFreePort());
    const provision = join(instance.env.PORTICO_DATA_DIR ?? "", "provision.json");
    writeFileSync(provision, JSON.stringify(acme(botApp("app_bot"))));
    const env = { ...instance.env, PORTICO_PORT: port, PORTICO_PROVISION: provision, PORTICO_LOG_LEVEL: "warn" };

    let server: ServerProcess = await startProcess(env);
    t.after(async () => {
      await server.end("SIGKILL");
      await instance.dispose();
    });
    const target = new Target(server.url);
    t.after(() => {
      target.isDone = true;
    });
    const { acknowledged } = target;
    const workers = Promise.all(Array.from({ length: WORKERS }, () => sendOn(target)));
    for (let kill = 0; kill < KILLS; kill++) {
      await Promise.race([target.hasAcknowledged(acknowledged.length + randomInt(20, 200)), workers]);
      const restarted = Promise.withResolvers<void>();
      target.up = restarted.promise;
      assert.equal(await server.end("SIGKILL"), "SIGKILL");
      const last = acknowledged.at(-1);
      server = await startProcess(env);
      restarted.resolve();
      assert.ok(last);
      const replay = { method: "POST", target: MESSAGES, body: textBody(last.text, { clientMessageId: last.text }) };
      const { nonce, timestamp } = last;
      assert.equal((await sendSigned(server.url, credentials, { ...replay, nonce, timestamp })).json.code, "400001");
    }
    target.isDone = true;
    await workers;

    const member = await MemberClient.signIn(server, alice);
    const history = await member.history("group:g_team");
    const byText = Map.groupBy(history, (message) => (message.content as { text: string }).text);
    for (const { text, messageId, msgSeq } of acknowledged) {
      const found = (byText.get(text) ?? []).map((message: ClientMessage) => [message.messageId, message.msgSeq]);
      assert.deepEqual(found, [[messageId, msgSeq]]);
    }
    assert.equal(byText.size, history.length, "something was sent twice");
    assert.deepEqual(
      history.map((message) => message.msgSeq),
      history.map((_, index) => index + 1),
    );
  });
});
