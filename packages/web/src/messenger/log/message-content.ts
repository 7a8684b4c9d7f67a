import type { ClientMessage } from "@portico/protocol/schemas";
import type { TALK } from "../../shared/talk/words.ts";
import { fileOf, lineOf, plainTextOf } from "../../shared/text/file-content.ts";
import type { KeysOf, Say } from "../../shared/words/words.ts";
import type { MESSENGER } from "../words.ts";

/** What a message says, in a line. */
export function textOf(
  { msgType, content }: ClientMessage,
  say: Say<KeysOf<typeof MESSENGER>>,
  sayTalk: Say<KeysOf<typeof TALK>>,
): string {
  switch (msgType) {
    case "text":
      return lineOf(plainTextOf(content) ?? "");
    case "image":
      return sayTalk("lastPicture");
    case "file":
      return sayTalk("lastFile", { name: fileOf(content)?.fileName ?? "" });
    case "card":
      return say("lastCard");
    case "post":
      return say("lastPost");
  }
}
