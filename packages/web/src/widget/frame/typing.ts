/** How long "is typing" is shown after the last word of it. */
const SHOWN_MS = 6_000;
/** The visitor's own typing is told so often at most. */
const TOLD_EVERY_MS = 2_000;

/** Who is typing, on both sides. */
export class Typing {
  readonly #onChange: (isAgentTyping: boolean) => void;
  #timer = 0;
  #toldAt = 0;

  constructor(onChange: (isAgentTyping: boolean) => void) {
    this.#onChange = onChange;
  }

  /** The agent types; for a while it is taken for granted that they go on. */
  show(): void {
    this.#onChange(true);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#onChange(false), SHOWN_MS);
  }

  /** The visitor types: whether the agent is to be told now. */
  isToBeTold(): boolean {
    const now = Date.now();
    if (now - this.#toldAt < TOLD_EVERY_MS) return false;
    this.#toldAt = now;
    return true;
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
