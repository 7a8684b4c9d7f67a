import { randomUUID } from "node:crypto";
import { CLIENT_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import { fillStore } from "../../contenders/fill-store.ts";
import { SEND_PATH } from "../../load/signed-requests.ts";
import { hostileApp, signedHeaders, signInAs } from "../callers.ts";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";

const SENDERS = 4;
const POSTERS = 4;
const MEMBERS = 100_000;
const MENTIONS = 10;
const APP = { appId: "app_mentions", credentialId: "cred_mentions", appSecret: "the secret of mentions" };
const GROUP = "g_mentions";
const POST_PATH = pathOf(CLIENT_ENDPOINTS.postMessage, { conversationId: `group:${GROUP}` });

/** Messages that mention many members, in a large tenant. */
export const mentions: Scenario = {
  name: "mentions",
  what: `${SENDERS} senders and ${POSTERS} members whose messages mention ${MENTIONS} of ${MEMBERS} members each`,
  engines: ["embedded", "distributed"],
  world: {
    groups: [{ id: GROUP, tenant: "t_bench", name: "Mentions", members: ["mallory"] }],
    apps: [
      hostileApp(APP, { scopes: ["bot.message.send"], installations: [{ targetType: "GROUP", targetId: GROUP }] }),
    ],
  },
  prepare: (site) =>
    fillStore(site, "members", MEMBERS, (index) => ({
      user_id: `u_${index}`,
      tenant_id: "t_bench",
      username: `member.${index}`,
      name: `Member ${index}`,
    })),
  async attack({ port }, signal) {
    const token = await signInAs(port, "mallory");
    let said = 0;
    const content = () => {
      const some = Array.from({ length: MENTIONS }, (_, n) => (said * 7_919 + n * 104_729) % MEMBERS);
      said++;
      return { text: "all of you", mentions: some.map((n) => (n % 2 === 0 ? `u_${n}` : `member.${n}`)) };
    };
    const messages = await keepBusy(SENDERS + POSTERS, signal, async (caller) => {
      const message = { msgType: "text", content: content(), clientMessageId: randomUUID() };
      const isSend = caller < SENDERS;
      const body = JSON.stringify(isSend ? { receiveIdType: "group_id", receiveId: GROUP, ...message } : message);
      const path = isSend ? SEND_PATH : POST_PATH;
      const headers = isSend
        ? signedHeaders(APP, "POST", path, body)
        : { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body, signal });
      await answer.text();
      if (!answer.ok) throw new Error(`${answer.status}`);
    });
    return { messages };
  },
};
