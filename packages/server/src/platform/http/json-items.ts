import { pieceByPiece } from "./json-text.ts";

/** Shorter pieces are joined before they are encoded. */
const SHORT_CHARACTERS = 4_096;

/**
 * Items of a list as JSON, separated by commas, encoded at once. Long texts are copied only here: joined into a string
 * first, each of them would leave copies of its size, which the garbage collector releases many at a time.
 */
export class JsonItems {
  #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @param values plain values, which may contain JsonTexts. */
  static of(values: readonly unknown[]): JsonItems {
    return new JsonItems(encode(values));
  }

  /** @param bytes JSON that has been written before; not changed. */
  static encoded(bytes: Buffer): JsonItems {
    return new JsonItems(bytes);
  }

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  /** Hands the bytes over as {@link take} does, between two texts. */
  takeWithin(before: string, after: string): Buffer {
    const items = this.take();
    const start = Buffer.byteLength(before);
    const bytes = Buffer.allocUnsafe(start + items.length + Buffer.byteLength(after));
    bytes.write(before, 0);
    items.copy(bytes, start);
    bytes.write(after, start + items.length);
    return bytes;
  }

  /** Hands the bytes over; a generator that has yielded the items, and waits, would keep them otherwise. */
  take(): Buffer {
    const bytes = this.#bytes;
    this.#bytes = Buffer.alloc(0);
    return bytes;
  }
}

function encode(values: readonly unknown[]): Buffer {
  const pieces: string[] = [];
  let [short, bytes] = ["", 0];
  const keep = (piece: string) => {
    pieces.push(piece);
    bytes += Buffer.byteLength(piece);
  };
  const keepShort = () => {
    if (short !== "") keep(short);
    short = "";
  };
  const add = (piece: string) => {
    if (piece.length > SHORT_CHARACTERS) {
      keepShort();
      keep(piece);
      return;
    }
    short += piece;
    if (short.length > SHORT_CHARACTERS) keepShort();
  };
  for (const [index, value] of values.entries()) {
    if (index > 0) add(",");
    pieceByPiece(value, add);
  }
  keepShort();
  const encoded = Buffer.allocUnsafe(bytes);
  let end = 0;
  for (const piece of pieces) end += encoded.write(piece, end);
  return encoded;
}
