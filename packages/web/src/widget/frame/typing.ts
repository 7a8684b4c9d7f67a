/** How long "is typing" is shown after the last word of it. */
const SHOWN_MS = 6_000;
/** The visitor's own typing is told so often at most. */
const TOLD_EVERY_MS = 2_000;

/** Who is typing, on both sides. */
export class Typing {
  readonly #onChange: (isAgentTyping: boolean) => void;
  #timer = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(onChange: (isAgentTyping: boolean) => void) {
    this.#onChange = onChange;
  }

  /** The agent types; for a while it is taken for granted that they go on. */
  show(): void {
    this.close();
    this.#onChange(true);
    this.#timer = window.setTimeout(() => this.#onChange(false), SHOWN_MS);
  }

  /** The visitor types: tells it by `tell`, unless that was done just now; `tell` is false when it could not. */
  tell(tell: () => boolean): void {
    const now = performance.now();
    if (now - this.#toldAt >= TOLD_EVERY_MS && tell()) this.#toldAt = now;
  }

  /** What was typed has been sent: the next word is told at once. */
  sent(): void {
    this.#toldAt = Number.NEGATIVE_INFINITY;
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
