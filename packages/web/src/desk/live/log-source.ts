import type { LogSource } from "../../shared/talk/live/conversation-log.ts";
import { deskApi } from "./desk-api.ts";
import { type DeskEntry, toEntry } from "./desk-entry.ts";

/** Reads the pages of a visitor's messages, of earlier sessions too; of a closed session its own end is the end. */
export function logSource(params: { appId: string; sessionId: string }): LogSource<DeskEntry> {
  return {
    async readBefore(beforeSeq, limit) {
      const { items } = await deskApi.listMessages({ params, query: { beforeSeq, limit } });
      return items.map(toEntry);
    },
    async readAfter(afterSeq, limit) {
      const { items } = await deskApi.listMessages({ params, query: { afterSeq, limit } });
      return { messages: items.map(toEntry), upTo: items.at(-1)?.seq ?? afterSeq };
    },
    async readAround(msgSeq, limit) {
      const afterSeq = Math.max(0, msgSeq - Math.ceil(limit / 2));
      const { items, lastSeq } = await deskApi.listMessages({ params, query: { afterSeq, limit } });
      return { messages: items.map(toEntry), newestSeq: lastSeq };
    },
  };
}
