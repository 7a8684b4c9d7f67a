import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fillStore } from "../../contenders/fill-store.ts";
import { hostileApp, signedHeaders, signInAs } from "../callers.ts";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";

const MEMBERS = Array.from({ length: 20 }, (_, n) => `reader${n}`);
const INTEGRATORS = 20;
const MESSAGES = 100;
const MESSAGE_BYTES = 250 * 1024;
const GROUP = "g_pages";
const VISITOR = "v_pages";
const APP = { appId: "app_pages", credentialId: "cred_pages", appSecret: "the secret of pages" };
/** Interval between two pieces that a reader takes, and the pieces after which it hangs up. */
const PIECE_EVERY_MS = 250;
const PIECES = 40;

/** Readers of the largest possible pages, who read slowly, hang up and begin again. */
export const messagePages: Scenario = {
  name: "message-pages",
  what: `${MEMBERS.length} members and ${INTEGRATORS} callers that read pages of ${MESSAGES} messages of 250 KiB, slowly`,
  engines: ["embedded", "distributed"],
  world: {
    members: MEMBERS.map((username) => ({
      tenant: "t_bench",
      userId: username,
      username,
      name: username,
      password: username,
    })),
    groups: [{ id: GROUP, tenant: "t_bench", name: "Pages", members: MEMBERS }],
    apps: [
      hostileApp(APP, {
        type: "CUSTOMER_SERVICE",
        scopes: ["customer.message.read"],
        visitors: [{ visitorId: VISITOR, thirdUserId: VISITOR, nickname: "Visitor" }],
      }),
    ],
  },
  async prepare(site) {
    const text = "x".repeat(MESSAGE_BYTES);
    await fillStore(site, "messages", MESSAGES, (index) => ({
      message_id: 1_000_000 + index,
      conversation_key: `group:${GROUP}`,
      msg_seq: index + 1,
      sender_type: "MEMBER",
      sender_id: MEMBERS[0] ?? "",
      msg_type: "text",
      content: JSON.stringify({ text }),
      mentions: "[]",
      created_at: 1_700_000_000_000,
    }));
    await fillStore(site, "customer_messages", MESSAGES, (index) => ({
      message_id: 1_000_000 + index,
      app_id: APP.appId,
      visitor_id: VISITOR,
      session_id: 1,
      seq: index + 1,
      sender_type: "VISITOR",
      msg_type: "text",
      content: JSON.stringify(text),
      created_at: 1_700_000_000_000,
    }));
    const keys = [`group:${GROUP}`, `visitor:${VISITOR}`];
    await fillStore(site, "conversations", 2, (index) => ({
      conversation_key: keys[index] ?? "",
      last_seq: MESSAGES,
    }));
  },
  async attack({ port }, signal) {
    const tokens: string[] = [];
    for (const username of MEMBERS) tokens.push(await signInAs(port, username));
    let bytes = 0;
    const pages = await keepBusy(MEMBERS.length + INTEGRATORS, signal, async (reader) => {
      const token = tokens[reader];
      const path =
        token === undefined
          ? `/api/open/v1/message/list?visitorId=${VISITOR}&pageSize=100`
          : `/api/client/v1/conversations/group:${GROUP}/messages?limit=100`;
      const headers = token === undefined ? signedHeaders(APP, "GET", path) : { authorization: `Bearer ${token}` };
      bytes += await readSlowly(port, path, headers, signal);
    });
    return { pages, bytes };
  },
};

async function readSlowly(port: number, path: string, headers: Record<string, string>, signal: AbortSignal) {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  try {
    await once(socket, "connect", { signal });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${lines.join("")}\r\n`);
    let bytes = 0;
    for (let piece = 0; piece < PIECES && !socket.destroyed && !signal.aborted; piece++) {
      await sleep(PIECE_EVERY_MS);
      const chunk: Buffer | null = socket.read();
      bytes += chunk?.length ?? 0;
      if (socket.readableEnded) break;
    }
    return bytes;
  } finally {
    socket.destroy();
  }
}
