import { relative } from "node:path";
import { run } from "node:test";
import type { TestEvent } from "node:test/reporters";

/** Lets a test file's process read components. */
const JSX_LOADER = new URL("load-jsx.ts", import.meta.url).href;

export interface RunFileOptions {
  /** Runs only the tests whose name matches this regular expression. */
  namePattern?: string | undefined;
  /** A file that takes longer is stopped and counts as failed. */
  timeoutMs: number;
  /** Stops the file early. */
  signal: AbortSignal;
}

/** Runs one test file in its own process and returns its events, in the order of its tests. */
export async function runFile(file: string, options: RunFileOptions): Promise<TestEvent[]> {
  const events: TestEvent[] = [];
  const unfinished = new UnfinishedTests();
  const guard = new AbortController();
  const timer = setTimeout(() => guard.abort(overdue(file, options.timeoutMs, unfinished)), options.timeoutMs);
  const stream = run({
    files: [file],
    isolation: "process",
    execArgv: file.endsWith(".tsx") ? ["--import", JSX_LOADER] : [],
    signal: AbortSignal.any([options.signal, guard.signal]),
    testNamePatterns: options.namePattern,
  });
  try {
    for await (const event of stream as AsyncIterable<TestEvent>) {
      if (isAboutTests(event, file)) events.push(event);
      unfinished.note(event, file);
    }
  } finally {
    clearTimeout(timer);
  }
  return events;
}

/** The tests of a file that have begun and not ended. */
export class UnfinishedTests {
  readonly #names = new Map<number, string>();
  #changedAt = performance.now();

  note({ type, data }: TestEvent, file: string): void {
    this.#changedAt = performance.now();
    if (type === "test:dequeue" && data.name !== file) this.#names.set(data.testId, data.name);
    if (type === "test:complete") this.#names.delete(data.testId);
  }

  /** For how long there has been none, in milliseconds. */
  idleMs(): number {
    return this.#names.size > 0 ? 0 : performance.now() - this.#changedAt;
  }

  toString(): string {
    return [...this.#names.values()].map((name) => JSON.stringify(name)).join(", ") || "none known";
  }
}

/** Drops the runner's own counts, and its report of a file without tests as passed. */
export function isAboutTests({ type, data }: TestEvent, file: string): boolean {
  if (type === "test:diagnostic") return data.file !== undefined;
  if (type === "test:pass") return data.name !== file;
  return true;
}

function overdue(file: string, timeoutMs: number, unfinished: UnfinishedTests): Error {
  const seconds = timeoutMs / 1000;
  return new Error(
    `${relative("", file)} took longer than ${seconds} s and was ended; unfinished tests: ${unfinished}`,
  );
}
