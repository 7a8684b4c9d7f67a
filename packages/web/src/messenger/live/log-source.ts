import type { ClientMessage } from "@portico/protocol/schemas";
import { memberApi } from "../../shared/session/member.ts";
import type { LogSource } from "../../shared/talk/live/conversation-log.ts";

/** Reads the pages of a conversation from the service. */
export function logSource(conversationId: string): LogSource<ClientMessage> {
  const params = { conversationId };
  return {
    async readBefore(beforeSeq, limit) {
      const { items } = await memberApi.listMessages({ params, query: { beforeSeq, limit } });
      return items;
    },
    async readAfter(afterSeq, limit) {
      const { items } = await memberApi.listChanges({ params, query: { afterSeq, limit } });
      return { messages: items.map(({ message }) => message), upTo: items.at(-1)?.msgSeq ?? afterSeq };
    },
  };
}
