import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageReceivedEvent } from "@portico/protocol";
import { CLIENT_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import { MemberCaller } from "../../load/member-caller.ts";
import { consoleOf, signInDeveloper } from "../../load/sign-in.ts";
import { hostileApp, signInAs } from "../callers.ts";
import { HOSTILE_ANSWERS, HostileReceivers } from "../hostile-receivers.ts";
import { keepBusy } from "../keep-busy.ts";
import type { Probe, Scenario } from "../scenario.ts";
import { OWNER } from "../world.ts";

const EVENT_TYPE = "im.message.receive_v1";
const KINDS = Object.keys(HOSTILE_ANSWERS);
/** Posts at the same time, and the pause after each message: as many as a member may make. */
const POSTERS = 8;
const PAUSE_MS = 80;
const EVENTS_PER_SECOND = 20;
/** An event that has not arrived by then is lost. */
const ARRIVES_WITHIN_MS = 20_000;

const GOOD_APP = "app_receives";
const appOf = (kind: string) => `app_${kind}`;

/** Subscribes an application to the messages of its members. */
async function subscribe(port: number, appId: string, callbackUrl: string): Promise<void> {
  const api = consoleOf(port, await signInDeveloper(port, OWNER));
  await api.subscribe({ params: { appId, eventType: EVENT_TYPE }, body: { callbackUrl } });
}

/** Messages to another bot, each until its event has arrived at a receiver that answers at once. */
const events: Probe = {
  name: "event",
  perSecond: EVENTS_PER_SECOND,
  async open({ port }) {
    const arrived = new Set<number>();
    const awaited = new Map<number, () => void>();
    const server = createServer(async (request, response) => {
      const { message } = (await json(request)) as MessageReceivedEvent;
      response.end("ok");
      arrived.add(message.messageId);
      awaited.get(message.messageId)?.();
    });
    server.listen(0, "127.0.0.1").unref();
    server.on("connection", (socket) => socket.unref());
    await once(server, "listening");
    await subscribe(port, GOOD_APP, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const member = await MemberCaller.signIn(port, { tenantId: "t_bench", username: "alice", password: "alice" });
    return async () => {
      const { value } = await member.post(`bot:${GOOD_APP}`, '{"msgType":"text","content":{"text":"hello"}}');
      const { messageId } = value;
      if (arrived.has(messageId)) return;
      const event = Promise.withResolvers<void>();
      awaited.set(messageId, event.resolve);
      const timer = setTimeout(() => event.reject(new Error("the event has not arrived")), ARRIVES_WITHIN_MS);
      await event.promise.finally(() => clearTimeout(timer));
    };
  },
};

/** Applications whose receivers misbehave, each in its way, get as many events as a member may write messages. */
export const hostileReceivers: Scenario = {
  name: "hostile-receivers",
  what: `${KINDS.length} applications whose receivers hang, drip, flood, reset or answer with a bomb`,
  engines: ["embedded", "distributed"],
  env: { PORTICO_WEBHOOK_ALLOW_LOOPBACK: "true" },
  world: {
    apps: [...KINDS.map((kind) => receivingApp(appOf(kind), "u_mallory")), receivingApp(GOOD_APP, "u_alice")],
  },
  probes: [events],
  async attack({ port }, signal) {
    using receivers = new HostileReceivers();
    for (const [kind, answer] of Object.entries(HOSTILE_ANSWERS)) {
      await subscribe(port, appOf(kind), await receivers.start(answer));
    }
    const authorization = `Bearer ${await signInAs(port, "mallory")}`;
    const headers = { authorization, "content-type": "application/json" };
    let next = 0;
    const messages = await keepBusy(POSTERS, signal, async () => {
      const conversationId = `bot:${appOf(KINDS[next++ % KINDS.length] ?? "")}`;
      const path = pathOf(CLIENT_ENDPOINTS.postMessage, { conversationId });
      const body = JSON.stringify({ msgType: "text", content: { text: "x" }, clientMessageId: randomUUID() });
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body, signal });
      await answer.text();
      if (!answer.ok) throw new Error(`${answer.status}`);
      await sleep(PAUSE_MS);
    });
    return { messages, attempts: receivers.requests };
  },
};

function receivingApp(appId: string, userId: string): object {
  return hostileApp(
    { appId, credentialId: `cred_${appId}`, appSecret: `the secret of ${appId}` },
    {
      owner: OWNER.phone,
      scopes: ["event.bot.message"],
      installations: [{ targetType: "USER", targetId: userId }],
    },
  );
}
