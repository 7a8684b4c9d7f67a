import type { ClientMessage, Conversation } from "@portico/protocol/schemas";
import { notify } from "../../shared/talk/notifications.ts";
import { TALK } from "../../shared/talk/words.ts";
import { wordsNow } from "../../shared/words/words.ts";
import { textOf } from "../log/message-content.ts";
import { MESSENGER } from "../words.ts";
import { goTo } from "./use-path.ts";

/** Tells of a message that came while the person looks elsewhere. */
export function tellOf({ conversationId, name }: Conversation, message: ClientMessage): void {
  const text = textOf(message, wordsNow(MESSENGER), wordsNow(TALK));
  const body = `${message.sender.name}: ${text}`;
  notify({ title: name, body, tag: conversationId, onOpen: () => goTo(conversationId) });
}
