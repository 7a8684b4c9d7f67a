import { randomUUID } from "node:crypto";
import { fillStore, type Store } from "../contenders/fill-store.ts";
import { contentJson } from "../load/message-kinds.ts";
import type { Sender } from "../load/signed-requests.ts";

/** What a grown store contains: as many messages in each of many groups, all with an idempotency key. */
export const MESSAGES = 1_000_000;
const GROUPS = 10_000;
const IN_GROUP = MESSAGES / GROUPS;
/** The messages of a year, one every half minute. */
const APART_MS = 31_500;

/** Inserts the messages of a year, groups in turns as they come in life, so that neighbours in a group lie far apart. */
export async function fillMessages(store: Store, { appId }: Sender): Promise<void> {
  const key = (index: number) => `group:g_old_${index % GROUPS}`;
  const newestAt = Date.now();
  await fillStore(store, "groups", GROUPS, (index) => {
    return { group_id: `g_old_${index}`, tenant_id: "t_bench", name: `Old ${index}` };
  });
  await fillStore(store, "conversations", GROUPS, (index) => ({ conversation_key: key(index), last_seq: IN_GROUP }));
  await fillStore(store, "messages", MESSAGES, (index) => ({
    conversation_key: key(index),
    msg_seq: Math.floor(index / GROUPS) + 1,
    sender_type: "BOT",
    sender_id: appId,
    client_message_id: randomUUID(),
    msg_type: "text",
    content: contentJson("text", index),
    mentions: "[]",
    created_at: newestAt - (MESSAGES - index) * APART_MS,
  }));
}
