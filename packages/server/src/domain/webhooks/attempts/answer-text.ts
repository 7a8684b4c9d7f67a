import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

/** As much of an answer as a delivery's record holds. */
const MAX_ANSWER_TEXT_BYTES = 4 * 1_024;
/** RFC 9659: what a decoder of Content-Encoding zstd must support. A larger window is memory that a receiver can claim. */
const ZSTD_WINDOW_LOG_MAX = 23;

/**
 * The beginning of an answer's body as text, at most 4 KiB of it in UTF-8, whatever the bytes are: those that are no UTF-8
 * become replacement characters, and NUL, which PostgreSQL cannot store, is left out.
 *
 * @param body what has come of it; may end anywhere
 * @param encoding its Content-Encoding in lower case; "" when there is none
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
  // Replacement characters are longer than what they replace.
  if (clean.length * 3 <= MAX_ANSWER_TEXT_BYTES || Buffer.byteLength(clean) <= MAX_ANSWER_TEXT_BYTES) return clean;
  const encoded = Buffer.from(clean);
  return encoded.toString("utf8", 0, endOfCharacter(encoded, MAX_ANSWER_TEXT_BYTES));
}

/** The last position up to `end` at which no character of UTF-8 is cut in two. */
function endOfCharacter(bytes: Buffer, end: number): number {
  for (let position = end; position > end - 4; position--) {
    const byte = bytes[position] ?? 0;
    if ((byte & 0b1100_0000) !== 0b1000_0000) return position;
  }
  return end;
}

/** The first bytes of what was compressed into `body`; `body` itself when that is not what `encoding` says. */
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

/** Each gives out small pieces and, at the end of a body that was cut, what it has. */
function decoderOf(encoding: string, body: Buffer): Transform | null {
  const chunkSize = MAX_ANSWER_TEXT_BYTES;
  const flate = { chunkSize, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(flate);
    case "deflate":
      // With a zlib header, as the standard says, or without one, as some servers send it.
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
