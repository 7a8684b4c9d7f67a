import type { ClientMessage } from "@portico/protocol/schemas";
import type { KeysOf, Say } from "../../shared/words/words.ts";
import type { MESSENGER } from "../words.ts";
import { plainName } from "../../shared/talk/log/plain-name.ts";

/** A line shows no more of a text. */
const LINE_LENGTH = 200;

/** What a picture's or a file's message says of it; sizes in pixels and bytes. */
export interface FileContent {
  url: string;
  fileName: string;
  mimeType: string;
  size: number;
  width: number;
  height: number;
}

/** The file of a message; null when the content names none. */
export function fileOf(content: unknown): FileContent | null {
  const { url, fileName, mimeType, size, width, height } = membersOf(content);
  if (typeof url !== "string" || !/^https?:\/\//.test(url)) return null;
  return {
    url,
    fileName: typeof fileName === "string" ? plainName(fileName) : "",
    mimeType: typeof mimeType === "string" ? mimeType : "",
    size: wholeNumber(size),
    width: wholeNumber(width),
    height: wholeNumber(height),
  };
}

/** The text of a text message; null when there is none. */
export function plainTextOf(content: unknown): string | null {
  const { text } = membersOf(content);
  return typeof text === "string" ? text : null;
}

/** What a message says, in a line. */
export function textOf({ msgType, content }: ClientMessage, say: Say<KeysOf<typeof MESSENGER>>): string {
  switch (msgType) {
    case "text":
      return (plainTextOf(content) ?? "").slice(0, LINE_LENGTH).replace(/\s+/g, " ");
    case "image":
      return say("lastPicture");
    case "file":
      return say("lastFile", { name: fileOf(content)?.fileName ?? "" });
    case "card":
      return say("lastCard");
    case "post":
      return say("lastPost");
  }
}

/** The members of an object, each of which may be anything; none of what is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function wholeNumber(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
