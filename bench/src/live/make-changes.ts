import { setTimeout as sleep } from "node:timers/promises";
import type { SentMessage } from "@portico/protocol";
import { contentJson } from "../load/message-kinds.ts";
import type { SignedCaller } from "../load/signed-caller.ts";
import { SEND_PATH, sendBody } from "../load/signed-requests.ts";
import type { AnsweredChange } from "./lateness.ts";

export const SENDS_PER_SECOND = 200;
/** One in this many sends is a card, which is then updated and recalled. */
const CARD_EVERY = 10;

/**
 * Sends to the group at an even rate of {@link SENDS_PER_SECOND} for `seconds`, without waiting for earlier sends.
 *
 * @throws when a call does not succeed.
 */
export async function makeChanges(caller: SignedCaller, groupId: string, seconds: number): Promise<AnsweredChange[]> {
  const startedMs = performance.now();
  const stories = Array.from({ length: SENDS_PER_SECOND * seconds }, async (_, number) => {
    await sleep(Math.max(0, startedMs + (number * 1_000) / SENDS_PER_SECOND - performance.now()));
    if (number % CARD_EVERY === 0) return await tellOfCard(caller, groupId, number);
    return [await tell(caller, "message.created", "POST", SEND_PATH, sendBody(groupId, "text", number, false))];
  });
  return (await Promise.all(stories)).flat();
}

/** Sends a card, updates it and recalls it. */
async function tellOfCard(caller: SignedCaller, groupId: string, number: number): Promise<AnsweredChange[]> {
  const body = sendBody(groupId, "card", number, false);
  const sent = await tell(caller, "message.created", "POST", SEND_PATH, body);
  const path = `${SEND_PATH}/${sent.messageId}/card`;
  const updated = await tell(caller, "card.updated", "PUT", path, contentJson("card", number + 1));
  const recalled = await caller.call<true>("DELETE", path);
  return [sent, updated, { ...sent, type: "message.recalled", msgSeq: null, atMs: recalled.atMs }];
}

async function tell(
  caller: SignedCaller,
  type: AnsweredChange["type"],
  method: string,
  path: string,
  body: string,
): Promise<AnsweredChange> {
  const { value, atMs } = await caller.call<SentMessage>(method, path, body);
  return { type, messageId: value.messageId, msgSeq: value.msgSeq, atMs };
}
