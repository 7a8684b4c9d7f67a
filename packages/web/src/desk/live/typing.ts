/** A visitor who was typing and then says nothing for so long has stopped. */
const SHOWN_MS = 5_000;
/** The visitor is told no more often that the agent types. */
const TOLD_EVERY_MS = 2_500;

/** Who is typing, on both sides. */
export class Typing {
  readonly #onChange: () => void;
  /** By session. */
  readonly #visitors = new Map<number, ReturnType<typeof setTimeout>>();
  #toldAt = Number.NEGATIVE_INFINITY;
  #toldOf = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The sessions whose visitors are typing. */
  get sessions(): ReadonlySet<number> {
    return new Set(this.#visitors.keys());
  }

  visitorTypes(sessionId: number): void {
    clearTimeout(this.#visitors.get(sessionId));
    this.#visitors.set(
      sessionId,
      setTimeout(() => this.visitorStopped(sessionId), SHOWN_MS),
    );
    this.#onChange();
  }

  visitorStopped(sessionId: number): void {
    clearTimeout(this.#visitors.get(sessionId));
    if (this.#visitors.delete(sessionId)) this.#onChange();
  }

  /** The agent types. @param tell tells the visitor, unless it answers false. */
  agentTypes(sessionId: number, tell: () => boolean): void {
    const now = performance.now();
    if ((this.#toldOf === sessionId && now - this.#toldAt < TOLD_EVERY_MS) || !tell()) return;
    this.#toldOf = sessionId;
    this.#toldAt = now;
  }

  /** The agent has sent what they typed: what they type next is something else. */
  agentSent(): void {
    this.#toldAt = Number.NEGATIVE_INFINITY;
  }

  close(): void {
    for (const timer of this.#visitors.values()) clearTimeout(timer);
    this.#visitors.clear();
  }
}
