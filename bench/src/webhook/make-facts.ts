import { setTimeout as sleep } from "node:timers/promises";
import type { MemberCaller } from "../load/member-caller.ts";
import { contentJson } from "../load/message-kinds.ts";
import type { Fact } from "./receipts.ts";
import { APP_ID, HANGING_APP_ID } from "./world.ts";

export const FACTS_PER_SECOND = 200;
/** One in this many messages also goes to the application whose receiver hangs. */
export const HANGING_EVERY = 10;

/**
 * Writes to the bot at an even rate of {@link FACTS_PER_SECOND} for `seconds`, without waiting for earlier messages.
 *
 * @throws when a call does not succeed.
 */
export async function makeFacts(member: MemberCaller, seconds: number): Promise<Fact[]> {
  const startedMs = performance.now();
  const facts = Array.from({ length: FACTS_PER_SECOND * seconds }, async (_, number) => {
    await sleep(Math.max(0, startedMs + (number * 1_000) / FACTS_PER_SECOND - performance.now()));
    const beside = number % HANGING_EVERY === 0 ? say(member, HANGING_APP_ID, number) : null;
    const fact = await say(member, APP_ID, number);
    await beside;
    return fact;
  });
  return await Promise.all(facts);
}

async function say(member: MemberCaller, appId: string, number: number): Promise<Fact> {
  const body = `{"msgType":"text","content":${contentJson("text", number)}}`;
  const { value, atMs } = await member.post(`bot:${appId}`, body);
  return { messageId: value.messageId, atMs };
}
