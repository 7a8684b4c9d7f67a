import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { fileFailed, fromWire, type Order, type Report } from "./order.ts";
import { isAboutTests, type RunFileOptions, UnfinishedTests } from "./run-file.ts";

const PROGRAM = fileURLToPath(new URL("./shared-process.ts", import.meta.url));
/** A process that holds more is replaced after the file: what files leave behind adds up. */
const RESIDENT_MAX_BYTES = 700e6;
/** How long a file may keep its process alive when no test of it runs. */
const IDLE_MAX_MS = 60_000;
const IDLE_CHECK_MS = 500;

export interface SharedRunOptions extends RunFileOptions {
  idleMaxMs?: number;
}

/** Runs test files one after another in one process, which is replaced when a file has spoilt it. */
export class SharedRunner implements AsyncDisposable {
  #child: ChildProcess | null = null;

  /** Runs one file and returns what happened, in the order in which its tests stand. */
  async run(file: string, options: SharedRunOptions): Promise<TestEvent[]> {
    this.#child ??= fork(PROGRAM, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
    const run = new FileRun(this.#child, file, options);
    const isReusable = await run.finished();
    if (!isReusable) await this.#end("SIGKILL");
    else if (run.residentBytes > RESIDENT_MAX_BYTES) await this[Symbol.asyncDispose]();
    return run.events;
  }

  /** Lets the process end by itself: what its files wanted to leave, it writes then. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #end(signal?: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    if (signal) child.kill(signal);
    else child.disconnect();
    await ended;
  }
}

/** One file in a shared process. */
class FileRun {
  readonly events: TestEvent[] = [];
  residentBytes = 0;
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #options: SharedRunOptions;
  readonly #unfinished = new UnfinishedTests();
  #isFailed = false;
  #isUnsuccessful = false;

  constructor(child: ChildProcess, file: string, options: SharedRunOptions) {
    this.#child = child;
    this.#file = file;
    this.#options = options;
  }

  /** Whether the process can take another file afterwards. */
  async finished(): Promise<boolean> {
    const [file, options, idleMaxMs] = [this.#file, this.#options, this.#options.idleMaxMs ?? IDLE_MAX_MS];
    const end = Promise.withResolvers<string[] | string>();
    const deadline = setTimeout(() => end.resolve(this.#overdue(options.timeoutMs)), options.timeoutMs);
    const idle = setInterval(() => this.#unfinished.idleMs() > idleMaxMs && end.resolve(this.#kept()), IDLE_CHECK_MS);
    const onAbort = () => end.resolve("was interrupted");
    const onExit = (code: number | null, signal: string | null) => end.resolve(this.#died(signal ?? `code ${code}`));
    const onMessage = (report: Report) => {
      if ("faults" in report) {
        this.residentBytes = report.residentBytes;
        end.resolve(report.faults);
      } else this.#note(fromWire(report.event));
    };
    const onOutput = (chunk: Buffer) => this.#note(printed(file, chunk));
    const outputs = [this.#child.stdout, this.#child.stderr];
    options.signal.addEventListener("abort", onAbort, { once: true });
    for (const output of outputs) output?.on("data", onOutput);
    this.#child.on("message", onMessage).on("exit", onExit);
    try {
      this.#child.send({ file, namePattern: options.namePattern } satisfies Order);
      const faults = await end.promise;
      for (const words of [faults].flat()) this.#fail(words);
      if (this.#isUnsuccessful && !this.#isFailed) this.#fail("failed outside its tests");
      return typeof faults !== "string";
    } finally {
      clearTimeout(deadline);
      clearInterval(idle);
      options.signal.removeEventListener("abort", onAbort);
      for (const output of outputs) output?.off("data", onOutput);
      this.#child.off("message", onMessage).off("exit", onExit);
    }
  }

  #note(event: TestEvent): void {
    if (event.type === "test:summary") this.#isUnsuccessful = !event.data.success;
    else if (event.type === "test:diagnostic" && isFault(event.data.message)) this.#fail(event.data.message);
    else if (isAboutTests(event, this.#file)) this.events.push(event);
    this.#isFailed ||= event.type === "test:fail";
    this.#unfinished.note(event, this.#file);
  }

  #fail(words: string): void {
    this.#isFailed = true;
    this.events.push(fileFailed(this.#file, words));
  }

  #overdue(timeoutMs: number): string {
    return `${relative("", this.#file)} took longer than ${timeoutMs / 1000} s and was ended; unfinished tests: ${this.#unfinished}`;
  }

  #kept(): string {
    return `${relative("", this.#file)} keeps its process alive after its tests: something of it is still open`;
  }

  #died(how: string): string {
    return `the process of ${relative("", this.#file)} ended with ${how}; unfinished tests: ${this.#unfinished}`;
  }
}

/** What the runner of Node says of an error that came when the test was over. */
function isFault(message: string): boolean {
  return message.startsWith("Error: ");
}

function printed(file: string, chunk: Buffer): TestEvent {
  return { type: "test:stdout", data: { file, message: chunk.toString() } } as TestEvent;
}
