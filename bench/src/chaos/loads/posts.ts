import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { signInMember } from "../sign-in.ts";
import { BOT, BOT_EVENT, GROUP_IDS, MEMBERS } from "../world.ts";
import type { Caller, Load } from "./load.ts";

const TIMEOUT_MS = 20_000;
const DIRECT = 0.5;

/** Members' posts to the bot, directly and by a mention in a group; the bot must receive an event of each. */
export const POSTS: Load = {
  name: "post",
  callers: MEMBERS.length,
  async work(caller) {
    const { ledger } = caller.parts;
    const member = memberOf(caller);
    const text = caller.unique();
    const isDirect = caller.random.chance(DIRECT);
    const conversationId = isDirect ? `bot:${BOT.appId}` : `group:${caller.random.pick(GROUP_IDS)}`;
    const content = isDirect ? { text } : { text, mentions: [BOT.appId] };
    const body = { msgType: "text", content, clientMessageId: text };
    ledger.uncertain.add(text);
    const { messageId, msgSeq } = await caller.persist(async () => {
      const url = caller.url();
      const token = await signInMember(url, member);
      const client = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: url, token, timeoutMs: TIMEOUT_MS }));
      return await client.postMessage({ params: { conversationId }, body });
    });
    ledger.uncertain.delete(text);
    const key = isDirect ? `${conversationId} ${member.username}` : conversationId;
    ledger.acknowledge(key, { messageId, seq: msgSeq }, { text });
    ledger.expectEvent(BOT_EVENT, messageId);
  },
};

function memberOf({ name }: Caller) {
  const member = MEMBERS[Number(name.split(" ").at(-1)) - 1];
  if (member === undefined) throw new Error(`${name} is no member`);
  return member;
}
