/** The service is told no more often. */
const EVERY_MS = 1_000;
/** Between tries that fail: the first wait, doubled up to the longest. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/** Time, from outside. */
export interface MarkClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls `run` once after a delay. The returned function cancels that. */
  after(delayMs: number, run: () => void): () => void;
}

/** Tells the service of a mark. @returns whether it is done with; false asks for another try. */
export type SendMark = (conversationId: string, seq: number) => Promise<boolean>;

/**
 * Tells the service how far the member has read: at most once a second, of each conversation the furthest place, and
 * again after a failure.
 */
export class ReadMarks {
  readonly #send: SendMark;
  readonly #clock: MarkClock;
  /** What the service has not been told, by conversation. */
  readonly #untold = new Map<string, number>();
  #nextAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #isSending = false;
  #stopTimer: (() => void) | null = null;

  constructor(send: SendMark, clock: MarkClock = CLOCK) {
    this.#send = send;
    this.#clock = clock;
  }

  /** The member has read up to here. */
  mark(conversationId: string, seq: number): void {
    this.#note(conversationId, seq);
    this.#plan();
  }

  /** Tells what is left now: the page is about to go, or the network has come back. */
  flush(): void {
    this.#stop();
    this.#failures = 0;
    void this.#run();
  }

  /** Forgets what is left. */
  close(): void {
    this.#stop();
    this.#untold.clear();
  }

  #note(conversationId: string, seq: number): void {
    this.#untold.set(conversationId, Math.max(seq, this.#untold.get(conversationId) ?? 0));
  }

  #plan(): void {
    if (this.#untold.size === 0 || this.#isSending || this.#stopTimer !== null) return;
    this.#stopTimer = this.#clock.after(Math.max(0, this.#nextAt - this.#clock.now()), () => {
      this.#stopTimer = null;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const marks = [...this.#untold];
    if (marks.length === 0) return;
    this.#untold.clear();
    this.#isSending = true;
    this.#nextAt = this.#clock.now() + EVERY_MS;
    const done = await Promise.all(marks.map(([id, seq]) => this.#send(id, seq).catch(() => false)));
    this.#isSending = false;
    const failed = marks.filter((_, index) => !done[index]);
    for (const [id, seq] of failed) this.#note(id, seq);
    if (failed.length > 0) {
      this.#nextAt =
        this.#clock.now() + Math.min(FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 16), LONGEST_RETRY_MS);
    } else {
      this.#failures = 0;
    }
    this.#plan();
  }

  #stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
  }
}

const CLOCK: MarkClock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
