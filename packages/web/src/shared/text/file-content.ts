import { plainName } from "./plain-name.ts";

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

/** A text in a line, as much of it as a line shows. */
export function lineOf(text: string): string {
  return text.slice(0, LINE_LENGTH).replace(/\s+/g, " ");
}

/** A line shows no more of a text. */
const LINE_LENGTH = 200;

/** The members of an object, each of which may be anything; none of what is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function wholeNumber(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
