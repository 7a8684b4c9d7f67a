/** Pieces of at least this length are kept without copying. */
const LARGE_BYTES = 16 * 1024;
/** The size of the buffers that smaller pieces are copied to, because each kept piece has an overhead. */
const ROOM_BYTES = 32 * 1024;

const EMPTY: Buffer = Buffer.alloc(0);

/** The pieces of a body. Large pieces are copied once, small ones twice, and a body in one piece is not copied. */
export class BodyPieces {
  readonly #pieces: Buffer[] = [];
  /** The newest buffer, and how much of it is used. */
  #room = EMPTY;
  #used = 0;
  #length = 0;

  /** The total length of all pieces. */
  get length(): number {
    return this.#length;
  }

  /** The additional memory once `piece` is added. */
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

  /** All pieces in one buffer. */
  join(): Buffer {
    this.#closeRoom();
    const [only] = this.#pieces;
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces, this.#length);
  }

  /** The first piece is kept whatever its length, because most bodies have only one. */
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
