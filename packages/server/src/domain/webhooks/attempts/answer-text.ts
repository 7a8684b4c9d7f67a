import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

/** The most bytes of an answer that are stored with a delivery. */
const MAX_ANSWER_TEXT_BYTES = 4 * 1_024;
/**
 * The window that decoders of Content-Encoding zstd must support (RFC 9659). A larger one would let a receiver consume
 * memory.
 */
const ZSTD_WINDOW_LOG_MAX = 23;

/**
 * The beginning of an answer's body as text, at most 4 KiB of UTF-8. Invalid bytes become replacement characters, and
 * NUL is removed, because PostgreSQL cannot store it.
 *
 * @param body the received bytes; may end anywhere
 * @param encoding the Content-Encoding in lower case; "" for none
 */
export async function answerText(body: Buffer, encoding: string): Promise<string> {
  if (body.length === 0) return "";
  const plain = encoding === "" || encoding === "identity" ? body : await decompressBeginning(body, encoding);
  return textOf(plain);
}

function textOf(bytes: Buffer): string {
  const whole = bytes.length <= MAX_ANSWER_TEXT_BYTES;
  const text = bytes.toString("utf8", 0, whole ? bytes.length : endOfCharacter(bytes, MAX_ANSWER_TEXT_BYTES));
  const clean = text.includes("\0") ? text.replaceAll("\0", "") : text;
  // Replacement characters are longer than the bytes they replace.
  if (clean.length * 3 <= MAX_ANSWER_TEXT_BYTES || Buffer.byteLength(clean) <= MAX_ANSWER_TEXT_BYTES) return clean;
  const encoded = Buffer.from(clean);
  return encoded.toString("utf8", 0, endOfCharacter(encoded, MAX_ANSWER_TEXT_BYTES));
}

/** The last position up to `end` that is not inside a UTF-8 character. */
function endOfCharacter(bytes: Buffer, end: number): number {
  for (let position = end; position > end - 4; position--) {
    const byte = bytes[position] ?? 0;
    if ((byte & 0b1100_0000) !== 0b1000_0000) return position;
  }
  return end;
}

/** Decompresses the first bytes of `body`; returns `body` itself when it does not match `encoding`. */
function decompressBeginning(body: Buffer, encoding: string): Promise<Buffer> {
  const decoder = decoderOf(encoding, body);
  if (decoder === null) return Promise.resolve(body);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => {
      resolve(Buffer.concat(chunks));
      decoder.destroy();
    };
    decoder.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_ANSWER_TEXT_BYTES) finish();
    });
    decoder.on("end", finish);
    decoder.on("error", () => {
      if (length === 0) resolve(body);
      else finish();
    });
    decoder.end(body);
  });
}

/** Decoders that output small pieces and, when a body is truncated, everything decoded so far. */
function decoderOf(encoding: string, body: Buffer): Transform | null {
  const chunkSize = MAX_ANSWER_TEXT_BYTES;
  const flate = { chunkSize, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(flate);
    case "deflate":
      // The standard requires a zlib header; some servers send none.
      return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate(flate) : createInflateRaw(flate);
    case "br":
      return createBrotliDecompress({ chunkSize, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case "zstd":
      return createZstdDecompress({
        chunkSize,
        finishFlush: constants.ZSTD_e_flush,
        params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX },
      });
    default:
      return null;
  }
}
