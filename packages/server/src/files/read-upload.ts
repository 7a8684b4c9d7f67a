import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { ApiError } from "@portico/protocol";

/** The one file of an upload, received to a temporary file of its own. */
export interface ReceivedFile {
  path: string;
  /** Without directories and characters that mislead, at most 255 bytes in UTF-8. */
  fileName: string;
  /** `type/subtype` in lower case. */
  mimeType: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const MAX_PARTS = 32;
const MAX_HEAD_BYTES = 8 * KIB;
/** What all parts besides the file may hold together. */
const MAX_OTHER_BYTES = MIB;
const MAX_BOUNDARY_LENGTH = 70;
const MAX_PADDING = 32;
const MAX_FILE_NAME_BYTES = 255;
const MAX_EXTENSION_BYTES = 32;
const MAX_MIME_TYPE_LENGTH = 127;
/** Small pieces are collected up to this before they are written. */
const WRITE_BYTES = 64 * KIB;

/**
 * Reads a `multipart/form-data` body (RFC 7578) to its end and keeps the part named `file` at `path`, where there must
 * be nothing yet. Other parts are ignored. After a failure there is nothing at `path`, and `body` is destroyed.
 *
 * @param contentType the header of the whole body, which names the boundary.
 * @throws ApiError 400006 saying what is wrong with the body.
 * @throws what `body` fails with.
 */
export async function readUpload(
  body: Readable,
  contentType: string | undefined,
  path: string,
  maxFileBytes: number,
): Promise<ReceivedFile> {
  // The loop below throws what happens while it runs; this takes what comes of destroying the body.
  body.on("error", () => {});
  const reception = new Reception(path, maxFileBytes);
  try {
    const parser = new MultipartParser(boundaryOf(contentType));
    for await (const chunk of body) {
      for (const piece of parser.push(chunk)) await reception.take(piece);
    }
    parser.end();
    return await reception.finish();
  } catch (error) {
    body.destroy();
    await reception.discard();
    throw error;
  }
}

function refusal(message: string): ApiError {
  return new ApiError("INVALID_REQUEST", message);
}

const malformedHead = () => refusal("上传分片的头部格式错误");
const lineBreaks = () => refusal("multipart请求体的换行必须为CRLF");

/** Takes the pieces of a body in order and writes those of the file. */
class Reception {
  readonly #path: string;
  readonly #maxFileBytes: number;
  readonly #hash = createHash("sha256");
  #description: FileDescription | null = null;
  #file: FileHandle | null = null;
  #isInFile = false;
  #parts = 0;
  #otherBytes = 0;
  #size = 0;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;

  constructor(path: string, maxFileBytes: number) {
    this.#path = path;
    this.#maxFileBytes = maxFileBytes;
  }

  async take(piece: PartHead | Buffer): Promise<void> {
    if (!Buffer.isBuffer(piece)) return await this.#beginPart(piece);
    if (this.#isInFile) return await this.#takeContent(piece);
    this.#otherBytes += piece.length;
    if (this.#otherBytes > MAX_OTHER_BYTES) throw refusal(`file以外的上传分片不能超过${sizeText(MAX_OTHER_BYTES)}`);
  }

  async finish(): Promise<ReceivedFile> {
    if (this.#description === null || this.#file === null) throw refusal("缺少必需的上传分片: file");
    await this.#write();
    await this.#file.close();
    return { path: this.#path, ...this.#description, size: this.#size, sha256: this.#hash.digest("hex") };
  }

  /** Removes the file, unless it is not this one that has made it. */
  async discard(): Promise<void> {
    if (this.#file === null) return;
    // What is thrown is the fault that led here.
    await this.#file.close().catch(() => {});
    await rm(this.#path, { force: true }).catch(() => {});
  }

  async #beginPart(head: PartHead): Promise<void> {
    if (++this.#parts > MAX_PARTS) throw refusal(`上传分片不能超过${MAX_PARTS}个`);
    const description = describeFile(head);
    this.#isInFile = description !== null;
    if (description === null) return;
    if (this.#description !== null) throw refusal("上传分片file只能有一个");
    this.#description = description;
    this.#file = await open(this.#path, "wx", 0o600);
  }

  async #takeContent(content: Buffer): Promise<void> {
    this.#size += content.length;
    if (this.#size > this.#maxFileBytes) throw refusal(`文件不能超过${sizeText(this.#maxFileBytes)}`);
    this.#unwritten.push(content);
    this.#unwrittenBytes += content.length;
    if (this.#unwrittenBytes >= WRITE_BYTES) await this.#write();
  }

  async #write(): Promise<void> {
    const content = Buffer.concat(this.#unwritten);
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    this.#hash.update(content);
    await this.#file?.appendFile(content);
  }
}

function sizeText(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB}MiB` : `${bytes}字节`;
}

/** The headers of a part, by their names in lower case. */
type PartHead = ReadonlyMap<string, string>;

const EMPTY = Buffer.alloc(0);

type State = "preamble" | "head" | "content" | "epilogue";

/**
 * Splits a multipart body (RFC 2046, section 5.1) as it arrives into heads and pieces of content: the head of a part comes
 * before its content, which may come in any number of pieces.
 *
 * Only a whole line that is a delimiter counts as one: a file that holds something alike is neither cut nor refused. A
 * head that cannot be understood is refused as a whole, for it may say how the content is meant to be read.
 */
class MultipartParser {
  readonly #delimiter: Buffer;
  #state: State = "preamble";
  /** What cannot be judged yet. It begins with a line break, so that a delimiter may open the body. */
  #rest: Buffer = Buffer.from("\r\n");

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  *push(chunk: Buffer): Generator<PartHead | Buffer, void, void> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
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

  /** @throws ApiError when the body was not whole. */
  end(): void {
    if (this.#state === "epilogue") return;
    const { length } = this.#delimiter;
    // Nothing has to follow the closing delimiter, but had something followed, it might have been none.
    const isClosed =
      this.#state !== "head" &&
      this.#rest.subarray(0, length).equals(this.#delimiter) &&
      /^--[ \t]*$/.test(this.#rest.toString("latin1", length));
    if (!isClosed) throw refusal("multipart请求体不完整: 缺少结束边界");
  }

  /** Takes the head of a part, whose delimiter's line break `#rest` begins with; null when it is not whole yet. */
  #takeHead(): PartHead | null {
    const end = this.#rest.indexOf("\r\n\r\n");
    if ((end === -1 ? this.#rest.length : end) > MAX_HEAD_BYTES) {
      throw refusal(`上传分片的头部不能超过${MAX_HEAD_BYTES / KIB}KiB`);
    }
    if (end === -1) return null;
    const head = parseHead(this.#rest.toString("utf8", 2, end));
    this.#rest = this.#rest.subarray(end + 4);
    this.#state = "content";
    return head;
  }

  /** Takes what is content for certain, and the delimiter behind it. */
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
    // No boundary holds a carriage return: a delimiter that is cut off begins at the last one.
    const last = rest.lastIndexOf("\r");
    return this.#takeUpTo(last > rest.length - delimiter.length && last !== -1 ? last : rest.length);
  }

  #takeUpTo(end: number): Buffer {
    const taken = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    return taken;
  }
}

/** What follows the boundary in a delimiter: the last one's dashes, padding, the line break. */
const DELIMITER_END = new RegExp(`^(--)?[ \\t]{0,${MAX_PADDING}}\\r\\n`);
const DELIMITER_CUT_OFF = new RegExp(`^(?:-|(?:--)?[ \\t]{0,${MAX_PADDING}}\\r?)$`);

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
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

const PARAMETER = new RegExp(`;[ \\t]*(${TOKEN})[ \\t]*=[ \\t]*`, "y");
const QUOTED = /"((?:[^"\\]|\\.)*)"[ \t]*(?=;|$)/sy;
const NEXT_PARAMETER = new RegExp(`;[ \\t]*(?:${TOKEN}[ \\t]*=|$)`, "g");

/**
 * Splits `value; name=text; name="text"`. A text without quotes goes as far as it can be understood, since the contract
 * has file names stand there as they are: up to what looks like another parameter.
 *
 * @returns null when that is not its form.
 */
function parseParameters(header: string): { value: string; parameters: Map<string, string> } | null {
  const parameters = new Map<string, string>();
  const valueEnd = header.indexOf(";");
  if (valueEnd === -1) return { value: header.toLowerCase(), parameters };
  let at = valueEnd;
  while (at < header.length && !/^;[ \t]*$/.test(header.slice(at))) {
    PARAMETER.lastIndex = at;
    const [start, name] = PARAMETER.exec(header) ?? [];
    if (start === undefined || name === undefined || parameters.has(name.toLowerCase())) return null;
    at += start.length;
    QUOTED.lastIndex = NEXT_PARAMETER.lastIndex = at;
    const [quoted, escaped] = QUOTED.exec(header) ?? [];
    if (quoted === undefined && header[at] === '"') return null;
    const end = quoted === undefined ? (NEXT_PARAMETER.exec(header)?.index ?? header.length) : at + quoted.length;
    parameters.set(name.toLowerCase(), escaped?.replace(/\\(["\\])/g, "$1") ?? header.slice(at, end).trim());
    at = end;
  }
  return { value: header.slice(0, valueEnd).trim().toLowerCase(), parameters };
}

/** @throws ApiError when the header of the body names no usable boundary. */
function boundaryOf(contentType: string | undefined): string {
  const parsed = parseParameters(contentType?.trim() ?? "");
  if (parsed !== null && parsed.value !== "multipart/form-data") throw refusal("Content-Type必须为multipart/form-data");
  const boundary = parsed?.parameters.get("boundary") ?? "";
  // More than RFC 2046 allows: whatever can be told from line breaks and padding.
  if (!/^[ -~]*[!-~]$/.test(boundary) || boundary.length > MAX_BOUNDARY_LENGTH) {
    throw refusal("Content-Type缺少有效的boundary");
  }
  return boundary;
}

type FileDescription = Pick<ReceivedFile, "fileName" | "mimeType">;

const PLAIN_ENCODINGS = new Set(["7bit", "8bit", "binary"]);

/**
 * Reads the head of the part that is the file; null for any other, a form field named `file` included.
 *
 * @throws ApiError when the head is malformed or its content would have to be decoded.
 */
function describeFile(head: PartHead): FileDescription | null {
  const parsed = parseParameters(head.get("content-disposition") ?? "");
  if (parsed === null) throw malformedHead();
  const { value, parameters } = parsed;
  if (value !== "form-data" || parameters.get("name") !== "file") return null;
  const fileName = decodeExtended(parameters.get("filename*")) ?? parameters.get("filename");
  if (fileName === undefined && !parameters.has("filename*")) return null;
  const encoding = head.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  if (!PLAIN_ENCODINGS.has(encoding)) throw refusal("Content-Transfer-Encoding仅支持7bit、8bit、binary");
  return { fileName: cleanFileName(fileName ?? ""), mimeType: cleanMimeType(head.get("content-type")) };
}

/** Decodes `charset'language'text` (RFC 5987); null when it is not that. */
function decodeExtended(text: string | undefined): string | null {
  const [, charset, encoded] = /^(utf-8|iso-8859-1)'[^']*'((?:%[0-9a-f]{2}|[!-$&-~])*)$/i.exec(text ?? "") ?? [];
  if (charset === undefined || encoded === undefined) return null;
  const latin1 = encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (charset.toLowerCase() === "iso-8859-1") return latin1;
  const bytes = Buffer.from(latin1, "latin1");
  return isUtf8(bytes) ? bytes.toString() : null;
}

/** Control characters, lone surrogates, and what turns the direction of writing round. */
const MISLEADING = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;

function cleanFileName(given: string): string {
  const path = given.replace(MISLEADING, "");
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).trim();
  return name === "" || name === "." || name === ".." ? "file" : shortenFileName(name);
}

/** Cuts the stem of a name, between characters, so that the whole is not too long. */
function shortenFileName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot) : "";
  const extension = Buffer.byteLength(ending) <= MAX_EXTENSION_BYTES ? ending : "";
  const room = new Uint8Array(MAX_FILE_NAME_BYTES - Buffer.byteLength(extension));
  const { read } = new TextEncoder().encodeInto(name.slice(0, name.length - extension.length), room);
  return name.slice(0, read).trimEnd() + extension;
}

const MIME_TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`);

function cleanMimeType(contentType: string | undefined): string {
  const [declared = ""] = (contentType ?? "").split(";", 1);
  const mimeType = declared.trim();
  const isOne = MIME_TYPE.test(mimeType) && mimeType.length <= MAX_MIME_TYPE_LENGTH;
  return isOne ? mimeType.toLowerCase() : "application/octet-stream";
}
