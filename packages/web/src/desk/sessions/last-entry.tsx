import { TALK } from "../../shared/talk/words.ts";
import { fileOf, lineOf, plainTextOf } from "../../shared/text/file-content.ts";
import { type KeysOf, type Say, useWords } from "../../shared/words/words.ts";
import type { DeskEntry } from "../live/desk-entry.ts";
import { DESK } from "../words.ts";

/** What a message says, in a line. */
export function lineOfEntry({ msgType, content }: DeskEntry, say: Say<KeysOf<typeof TALK>>): string {
  switch (msgType) {
    case "text":
      return lineOf(plainTextOf(content) ?? "");
    case "image":
      return say("lastPicture");
    case "file":
      return say("lastFile", { name: fileOf(content)?.fileName ?? "" });
  }
}

/** A conversation's newest message in a line. */
export function LastEntry({ entry, myName }: { entry: DeskEntry | null; myName: string }) {
  const say = useWords(DESK);
  const sayTalk = useWords(TALK);
  if (entry === null) return say("nothingSaid");
  const who =
    entry.senderType === "AGENT"
      ? `${entry.agentId === myName ? sayTalk("you") : (entry.agentName ?? entry.agentId)}: `
      : "";
  return who + lineOfEntry(entry, sayTalk);
}
