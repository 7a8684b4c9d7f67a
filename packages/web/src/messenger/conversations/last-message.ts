import type { ClientMessage } from "@portico/protocol/schemas";
import type { KeysOf, Say } from "../../shared/words/words.ts";
import { textOf } from "../log/message-content.ts";
import type { MESSENGER } from "../words.ts";

/** A conversation's newest message in a line: who, and what it says. */
export function lastMessageLine(
  message: ClientMessage | null,
  { myId, isGroup, say }: { myId: string; isGroup: boolean; say: Say<KeysOf<typeof MESSENGER>> },
): string {
  if (message === null) return "";
  if (message.recalled) return say("lastRecalled");
  const text = textOf(message, say);
  if (message.sender.id === myId) return `${say("you")}: ${text}`;
  return isGroup ? `${message.sender.name}: ${text}` : text;
}
