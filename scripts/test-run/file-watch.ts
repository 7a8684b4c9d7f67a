import type { TestEvent } from "node:test/reporters";

/** How long a test file may take, in milliseconds: several times as long as the slowest takes on two processors. */
export interface FileLimits {
  wholeMs: number;
  /** Between two events of its tests. */
  silentMs: number;
  /** For keeping its process alive when all tests that have begun have ended. */
  idleMs: number;
}

export const FILE_LIMITS: FileLimits = { wholeMs: 300_000, silentMs: 150_000, idleMs: 60_000 };

/** For a run in which tests fill tables with as many rows as the developer asks for (`PORTICO_TEST_ROWS`). */
export const FILE_LIMITS_OF_MANY_ROWS: FileLimits = { ...FILE_LIMITS, wholeMs: 3_600_000, silentMs: 1_800_000 };

/** Follows the tests of a file while it runs. */
export class FileWatch {
  readonly #limits: FileLimits;
  readonly #beganAt = performance.now();
  readonly #unfinished = new Map<number, string>();
  #eventAt = this.#beganAt;
  #hasBegun = false;

  constructor(limits: FileLimits) {
    this.#limits = limits;
  }

  note({ type, data }: TestEvent, file: string): void {
    if (type === "test:stdout" || type === "test:stderr") return;
    this.#eventAt = performance.now();
    if (type === "test:dequeue" && data.name !== file) {
      this.#hasBegun = true;
      this.#unfinished.set(data.testId, data.name);
    }
    if (type === "test:complete") this.#unfinished.delete(data.testId);
  }

  /** Why the file has to be ended, in words that follow its name; null while it may go on. */
  get fault(): string | null {
    const { wholeMs, silentMs, idleMs } = this.#limits;
    const now = performance.now();
    const quietMs = now - this.#eventAt;
    if (now - this.#beganAt > wholeMs) return `took longer than ${wholeMs / 1000} s and was ended`;
    if (this.#hasBegun && this.#unfinished.size === 0 && quietMs > idleMs) {
      return "keeps its process alive after its tests: something of it is still open";
    }
    return quietMs > silentMs ? `began and ended no test for ${silentMs / 1000} s and was ended` : null;
  }

  /** The tests that have begun and not ended, by name. */
  get unfinished(): string {
    if (!this.#hasBegun) return "none has begun";
    return [...this.#unfinished.values()].map((name) => JSON.stringify(name)).join(", ") || "none";
  }
}
