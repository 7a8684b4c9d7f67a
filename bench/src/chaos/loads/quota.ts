import { ApiRefusedError } from "@portico/sdk";
import { GROUP_IDS, LIMITED_BOT, LIMITED_PER_DAY } from "../world.ts";
import type { Load } from "./load.ts";

const QUOTA_EXCEEDED = "429001";
/** The days that the run, with clocks 40 minutes wrong, can touch. */
const CLOCK_ERROR_MS = 40 * 60_000;
const DAY_MS = 86_400_000;

/** Sends of an application beyond its daily quota: never more may be acknowledged than it allows. */
export function quotaLoad(): Load {
  const startedAt = Date.now();
  let acknowledged = 0;
  return {
    name: "quota",
    callers: 1,
    async work(caller) {
      const [groupId = ""] = GROUP_IDS;
      const text = caller.unique();
      const { ledger } = caller.parts;
      ledger.uncertain.add(text);
      const send = () =>
        caller.client(LIMITED_BOT).bot.sendMessage({
          receiveIdType: "group_id",
          receiveId: groupId,
          msgType: "text",
          content: { text },
        });
      const sent = await caller.try(send, isExceeded).catch(() => null);
      if (sent === null) return;
      ledger.uncertain.delete(text);
      ledger.acknowledge(`group:${groupId}`, { messageId: sent.messageId, seq: sent.msgSeq }, { text });
      acknowledged++;
      const dayOf = (time: number) => Math.floor(time / DAY_MS);
      const days = 1 + dayOf(Date.now() + CLOCK_ERROR_MS) - dayOf(startedAt - CLOCK_ERROR_MS);
      if (acknowledged > days * LIMITED_PER_DAY) {
        ledger.violate(
          `${acknowledged} sends were accepted with a quota of ${LIMITED_PER_DAY} a day, in ${days} day(s)`,
        );
      }
    },
  };
}

function isExceeded(error: unknown): boolean {
  return error instanceof ApiRefusedError && error.code === QUOTA_EXCEEDED;
}
