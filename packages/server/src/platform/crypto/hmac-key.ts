import { createHmac, hash, type KeyObject, timingSafeEqual } from "node:crypto";

/** The block of SHA-256 and the length of its digest, in bytes. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const TAG_BYTES = DIGEST_BYTES * 2;
/** Longer texts are rare and take Node's own way. */
const MAX_TEXT_BYTES = 4_096;
/** The most bytes of UTF-8 that one UTF-16 unit becomes. */
const BYTES_PER_UNIT = 3;

/** What is hashed: a padded key, then the text or the inner digest (RFC 2104). One tag is computed at a time. */
const inner = Buffer.alloc(BLOCK_BYTES + MAX_TEXT_BYTES);
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
const expected = Buffer.alloc(TAG_BYTES);
const given = Buffer.alloc(TAG_BYTES);

/**
 * A key for HMAC-SHA256 that signs and verifies many short texts. It hashes twice in one call each, which takes a third of the time that
 * an object for each tag takes (`createHmac`).
 */
export class HmacKey {
  readonly #key: KeyObject;
  readonly #innerPad: Buffer;
  readonly #outerPad: Buffer;

  constructor(key: KeyObject) {
    this.#key = key;
    const bytes = key.export();
    const short = bytes.length > BLOCK_BYTES ? hash("sha256", bytes, "buffer") : bytes;
    this.#innerPad = padded(short, 0x36);
    this.#outerPad = padded(short, 0x5c);
  }

  /** Whether `received` is the lower-case hex tag of the UTF-8 bytes of `text`, in time independent of where they differ. */
  verifies(text: string, received: string): boolean {
    if (received.length !== TAG_BYTES || given.write(received, 0, TAG_BYTES, "utf8") !== TAG_BYTES) return false;
    expected.write(this.tag(text), 0, TAG_BYTES, "latin1");
    return timingSafeEqual(expected, given);
  }

  /** The lower-case hex tag of the UTF-8 bytes of `text`. */
  tag(text: string): string {
    if (text.length * BYTES_PER_UNIT > MAX_TEXT_BYTES) {
      return createHmac("sha256", this.#key).update(text, "utf8").digest("hex");
    }
    inner.set(this.#innerPad, 0);
    const length = BLOCK_BYTES + inner.write(text, BLOCK_BYTES, "utf8");
    outer.set(this.#outerPad, 0);
    outer.write(hash("sha256", inner.subarray(0, length), "binary"), BLOCK_BYTES, DIGEST_BYTES, "binary");
    return hash("sha256", outer, "hex");
  }
}

function padded(key: Buffer, pad: number): Buffer {
  return Buffer.from(Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)]).map((byte) => byte ^ pad));
}
