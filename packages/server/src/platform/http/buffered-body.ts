/** A request body in memory. It counts against the memory limit until it is disposed (once). */
export class BufferedBody implements Disposable {
  readonly bytes: Buffer;
  /** What parsing it has resulted in; null when it has not been parsed before it is needed. */
  parsed: { value: unknown } | { error: unknown } | null = null;
  readonly #release: () => void;

  constructor(bytes: Buffer, release: () => void = () => {}) {
    this.bytes = bytes;
    this.#release = release;
  }

  [Symbol.dispose](): void {
    this.#release();
  }
}

/** The body of a call without one. */
export const NO_BODY = new BufferedBody(Buffer.alloc(0));
