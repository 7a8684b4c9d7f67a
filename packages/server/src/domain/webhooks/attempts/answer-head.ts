import { InvalidAnswer } from "./invalid-answer.ts";

/** How the body of an answer ends (RFC 9112, section 6.3): after a number of bytes, with the last chunk, or with the connection. */
export type BodyEnd = number | "last-chunk" | "connection";

/** What an answer's head says that matters to a client that follows nothing and keeps nothing. */
export interface AnswerHead {
  status: number;
  bodyEnd: BodyEnd;
  /** The Content-Encoding in lower case; "" for none. */
  encoding: string;
  /** Whether the server keeps the connection open, as far as the head says. */
  isKept: boolean;
  /** For how many seconds, when idle, if it says. */
  keptForSeconds: number | null;
}

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: [^\0\r\n]*)?$/;
const LONE_FEED = /[^\r]\n/;
const LONE_RETURN = /\r[^\n]/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a value must not have
const NOT_IN_VALUE = /[\0-\x08\x0a-\x1f\x7f]/;
const LENGTH = /^\d{1,15}$/;

/** Fields of one answer, as far as they matter. */
interface Fields {
  length: number | null;
  codings: string | null;
  encoding: string;
  connection: string;
  keepAlive: string;
}

/**
 * Reads the head of an answer (RFC 9112, sections 2 to 5): a status line and fields, separated by CRLF, without the empty
 * line. Strict where two readers could disagree about the end of the answer.
 *
 * @throws InvalidAnswer
 */
export function readHead(text: string): AnswerHead {
  checkLineEnds(`${text}\r\n`);
  const [statusLine = "", ...lines] = unfolded(text).split("\r\n");
  const [, minor, digits] = STATUS_LINE.exec(statusLine) ?? [];
  if (digits === undefined) throw new InvalidAnswer("the status line is not HTTP/1.x, three digits, and a reason");
  const status = Number(digits);
  const fields: Fields = { length: null, codings: null, encoding: "", connection: "", keepAlive: "" };
  for (const line of lines) readField(line, fields);
  const bodyEnd = bodyEndOf(status, fields);
  const options = fields.connection.split(",").map((option) => option.trim());
  const isKept = minor === "1" ? !options.includes("close") : options.includes("keep-alive");
  const seconds = /(?:^|[,\s])timeout=(\d{1,9})/.exec(fields.keepAlive)?.[1];
  return {
    status,
    bodyEnd,
    encoding: fields.encoding,
    isKept: isKept && bodyEnd !== "connection",
    keptForSeconds: seconds === undefined ? null : Number(seconds),
  };
}

/**
 * Checks a part of a head, which may begin and end anywhere: each line must end with CRLF.
 *
 * @throws InvalidAnswer
 */
export function checkLineEnds(text: string): void {
  if (LONE_FEED.test(text)) throw new InvalidAnswer("a line of its head ends with a line feed alone, instead of CRLF");
  if (LONE_RETURN.test(text)) throw new InvalidAnswer("its head has a carriage return without a line feed");
}

/** Fields that go on in the next line are an old form that a client must still accept (RFC 9112, section 5.2). */
function unfolded(text: string): string {
  return text.includes("\r\n ") || text.includes("\r\n\t") ? text.replace(/\r\n[ \t]+/g, " ") : text;
}

function readField(line: string, fields: Fields): void {
  const colon = line.indexOf(":");
  if (colon === -1) throw new InvalidAnswer("a line of its head has no colon");
  const name = line.slice(0, colon);
  if (!NAME.test(name)) throw new InvalidAnswer("a header has an invalid name");
  const value = line.slice(colon + 1).trim();
  if (NOT_IN_VALUE.test(value)) throw new InvalidAnswer("a header has an invalid character");
  switch (name.toLowerCase()) {
    case "content-length":
      if (!LENGTH.test(value)) throw new InvalidAnswer("its Content-Length is no number");
      if (fields.length !== null) throw new InvalidAnswer("it has two Content-Length lines");
      fields.length = Number(value);
      return;
    case "transfer-encoding":
      fields.codings = joined(fields.codings ?? "", value);
      return;
    case "content-encoding":
      fields.encoding = joined(fields.encoding, value);
      return;
    case "connection":
      fields.connection = joined(fields.connection, value);
      return;
    case "keep-alive":
      fields.keepAlive = joined(fields.keepAlive, value);
      return;
  }
}

function joined(before: string, value: string): string {
  return before === "" ? value.toLowerCase() : `${before}, ${value.toLowerCase()}`;
}

function bodyEndOf(status: number, { length, codings }: Fields): BodyEnd {
  if (length !== null && codings !== null)
    throw new InvalidAnswer("it has both a Content-Length and a Transfer-Encoding");
  if (status < 200 || status === 204 || status === 304) return 0;
  if (codings === null) return length ?? "connection";
  return codings.split(",").at(-1)?.trim() === "chunked" ? "last-chunk" : "connection";
}

/** Longer heads are not remembered. */
const MAX_REMEMBERED = 1_024;

/** Reads the heads of one connection's answers. Within a second they seldom differ, and the last one is not read again. */
export class HeadReader {
  #text = "";
  #head: AnswerHead | null = null;

  /** @throws InvalidAnswer as {@link readHead}. */
  read(text: string): AnswerHead {
    if (this.#head !== null && text === this.#text) return this.#head;
    const head = readHead(text);
    const isShort = text.length <= MAX_REMEMBERED;
    this.#text = isShort ? text : "";
    this.#head = isShort ? head : null;
    return head;
  }
}
