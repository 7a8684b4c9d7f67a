/** Pieces from this length on are kept as they come. */
const LARGE_BYTES = 16 * 1024;
/** Room for pieces that are shorter, so that very small ones are not kept each for itself. */
const ROOM_BYTES = 32 * 1024;

const EMPTY: Buffer = Buffer.alloc(0);

/** The pieces of a body. Each byte is copied once at most, or twice if it comes in a small piece; a body in one piece not at all. */
export class BodyPieces {
  readonly #pieces: Buffer[] = [];
  /** The newest room, and how much of it is used. */
  #room = EMPTY;
  #used = 0;
  #length = 0;

  /** What all pieces have together. */
  get length(): number {
    return this.#length;
  }

  /** How much more memory is taken once `piece` is added. */
  cost({ length }: Buffer): number {
    if (this.#isKept(length)) return length;
    return this.#used + length <= this.#room.length ? 0 : ROOM_BYTES;
  }

  add(piece: Buffer): void {
    if (this.#isKept(piece.length)) {
      this.#closeRoom();
      this.#pieces.push(piece);
    } else {
      for (let rest = piece; rest.length > 0; ) {
        if (this.#used === this.#room.length) this.#openRoom();
        const copied = rest.copy(this.#room, this.#used);
        this.#used += copied;
        rest = rest.subarray(copied);
      }
    }
    this.#length += piece.length;
  }

  /** All pieces in one. */
  join(): Buffer {
    this.#closeRoom();
    const [only] = this.#pieces;
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces, this.#length);
  }

  /** Most bodies come in one piece: the first is kept whatever its length. */
  #isKept(length: number): boolean {
    return length >= LARGE_BYTES || this.#length === 0;
  }

  #openRoom(): void {
    this.#closeRoom();
    this.#room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  }

  #closeRoom(): void {
    if (this.#used > 0) this.#pieces.push(this.#room.subarray(0, this.#used));
    this.#room = EMPTY;
    this.#used = 0;
  }
}
