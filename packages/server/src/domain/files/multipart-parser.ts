import { type ApiErrorCode, type FormProblem, fault, type Stated } from "@portico/protocol";
import { Refusal } from "../../platform/errors/refusal.ts";
import { parseParameters, TOKEN } from "./header-parameters.ts";

const KIB = 1024;
const MAX_HEAD_BYTES = 8 * KIB;
const MAX_BOUNDARY_LENGTH = 70;
const MAX_PADDING = 32;
/** So much of a piece is copied at first to be joined to what is left of the one before. */
const JOINED_BYTES = 1 * KIB;

/** The headers of a part, by lower-case name. */
export type PartHead = ReadonlyMap<string, string>;

const EMPTY = Buffer.alloc(0);

type State = "preamble" | "head" | "content" | "epilogue";

/**
 * Splits a multipart body (RFC 2046, section 5.1) into headers and content while it arrives: the headers of a part
 * first, then its content in any number of pieces.
 *
 * Only a whole line is accepted as a delimiter, so a file that contains something similar is neither cut nor refused.
 * Malformed headers are refused, because they may change how the content has to be read.
 */
export class MultipartParser {
  readonly #delimiter: Buffer;
  #state: State = "preamble";
  /** Input that cannot be classified yet. It starts with a line break, because the body may begin with a delimiter. */
  #rest: Buffer = Buffer.from("\r\n");

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Content that is yielded lies in `chunk` for the most part; nothing of `chunk` is kept beyond the end. */
  *push(chunk: Buffer): Generator<PartHead | Buffer, void, void> {
    let at = 0;
    for (let joined = JOINED_BYTES; at < chunk.length; joined *= 2) {
      const end = this.#rest.length === 0 ? chunk.length : Math.min(at + joined, chunk.length);
      const more = chunk.subarray(at, end);
      this.#rest = this.#rest.length === 0 ? more : Buffer.concat([this.#rest, more]);
      at = end;
      yield* this.#takeAll();
    }
    if (this.#rest.length > 0) this.#rest = Buffer.from(this.#rest);
  }

  *#takeAll(): Generator<PartHead | Buffer, void, void> {
    for (;;) {
      const state = this.#state;
      if (state === "epilogue") {
        this.#rest = EMPTY;
        return;
      }
      if (state === "head") {
        const head = this.#takeHead();
        if (head === null) return;
        yield head;
      } else {
        const content = this.#takeContent();
        if (state === "content" && content.length > 0) yield content;
        if (this.#state === state) return;
      }
    }
  }

  /** @throws ApiError when the body was incomplete. */
  end(): void {
    if (this.#state === "epilogue") return;
    const { length } = this.#delimiter;
    // Nothing has to follow the closing delimiter, but characters that follow could make it an ordinary line.
    const isClosed =
      this.#state !== "head" &&
      this.#rest.subarray(0, length).equals(this.#delimiter) &&
      /^--[ \t]*$/.test(this.#rest.toString("latin1", length));
    if (!isClosed) throw refusal("cut-off", "UPLOAD_CUT_OFF");
  }

  /**
   * Takes the headers of a part; `#rest` begins with the line break of its delimiter. Null when they are incomplete.
   */
  #takeHead(): PartHead | null {
    const end = this.#rest.indexOf("\r\n\r\n");
    if ((end === -1 ? this.#rest.length : end) > MAX_HEAD_BYTES) {
      throw refusal("part-head", fault("UPLOAD_PART_HEAD_TOO_LONG", { max: MAX_HEAD_BYTES / KIB }));
    }
    if (end === -1) return null;
    const head = parseHead(this.#rest.toString("utf8", 2, end));
    this.#rest = this.#rest.subarray(end + 4);
    this.#state = "content";
    return head;
  }

  /** Takes what is certainly content, and the delimiter after it. */
  #takeContent(): Buffer {
    const rest = this.#rest;
    const delimiter = this.#delimiter;
    for (let at = rest.indexOf(delimiter); at !== -1; at = rest.indexOf(delimiter, at + 1)) {
      const lineEnd = rest.toString("latin1", at + delimiter.length, at + delimiter.length + MAX_PADDING + 4);
      if (this.#state === "preamble" && /^[ \t]*\n/.test(lineEnd)) throw lineBreaks();
      if (DELIMITER_CUT_OFF.test(lineEnd)) return this.#takeUpTo(at);
      const [whole, dashes] = DELIMITER_END.exec(lineEnd) ?? [];
      if (whole === undefined) continue;
      this.#rest = rest.subarray(at + delimiter.length + whole.length - 2);
      this.#state = dashes === undefined ? "head" : "epilogue";
      return rest.subarray(0, at);
    }
    // A boundary contains no carriage return, so an incomplete delimiter begins at the last one.
    const last = rest.lastIndexOf("\r");
    return this.#takeUpTo(last > rest.length - delimiter.length && last !== -1 ? last : rest.length);
  }

  #takeUpTo(end: number): Buffer {
    const taken = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    return taken;
  }
}

/** What follows the boundary in a delimiter: two dashes (closing delimiter only), padding, line break. */
const DELIMITER_END = new RegExp(`^(--)?[ \\t]{0,${MAX_PADDING}}\\r\\n`);
const DELIMITER_CUT_OFF = new RegExp(`^(?:-|(?:--)?[ \\t]{0,${MAX_PADDING}}\\r?)$`);

const HEADER = new RegExp(`^(${TOKEN}):(.*)$`, "s");

function parseHead(text: string): PartHead {
  const head = new Map<string, string>();
  if (text === "") return head;
  for (const line of text.replace(/\r\n[ \t]+/g, " ").split("\r\n")) {
    if (/[\r\n]/.test(line)) throw lineBreaks();
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined || head.has(name.toLowerCase())) throw malformedHead();
    head.set(name.toLowerCase(), value.trim());
  }
  return head;
}

/** @throws ApiError when the body's Content-Type has no usable boundary. */
export function boundaryOf(contentType: string | undefined): string {
  const parsed = parseParameters(contentType?.trim() ?? "");
  if (parsed !== null && parsed.value !== "multipart/form-data") throw refusal("boundary", "UPLOAD_NOT_MULTIPART");
  const boundary = parsed?.parameters.get("boundary") ?? "";
  // More than RFC 2046 allows: anything that can be distinguished from line breaks and padding.
  if (!/^[ -~]*[!-~]$/.test(boundary) || boundary.length > MAX_BOUNDARY_LENGTH) {
    throw refusal("boundary", "UPLOAD_BOUNDARY_MISSING");
  }
  return boundary;
}

/** The error for an upload, with the reason. */
export function refusal(problem: FormProblem, stated: Stated<ApiErrorCode>): Refusal {
  return new Refusal(stated, { check: "form", details: { problem } });
}

/** The error for a part with malformed headers. */
export function malformedHead(): Refusal {
  return refusal("part-head", "UPLOAD_PART_HEAD_INVALID");
}

function lineBreaks(): Refusal {
  return refusal("line-breaks", "UPLOAD_LINE_BREAKS_WRONG");
}
