import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { FILE_LIMITS, type FileLimits, FileWatch } from "./file-watch.ts";
import { fileFailed, fromWire, type Order, type Report, WHAT_IS_OPEN } from "./order.ts";
import { measuresMemory } from "./own-process.ts";
import { startSettings } from "./start-settings.ts";

const PROGRAM = fileURLToPath(new URL("./test-process.ts", import.meta.url));
/** Lets a process read components. */
const JSX_LOADER = new URL("./load-jsx.ts", import.meta.url).href;
/** A process that holds more is replaced after the file: what files leave behind adds up. */
const RESIDENT_MAX_BYTES = 700e6;
/** Tests run hardly anything so often that what V8's last compiler makes of it is worth its work: a tenth of their processor time. */
const NO_LAST_COMPILER = ["--max-opt=2"];
const CHECK_EVERY_MS = 500;
/** How long a process may take to say what is open in it; one that runs without a pause does not. */
const SAID_WITHIN_MS = 2_000;

export interface RunOptions {
  /** Runs only the tests whose name matches this regular expression. */
  namePattern?: string | undefined;
  /** Stops the file early. */
  signal: AbortSignal;
  limits?: FileLimits;
}

/** What has happened in a file, in the order in which its tests stand, and the processor time that it took; 0 if it did not say. */
export interface FileEvents {
  events: TestEvent[];
  processorMs: number;
}

/** Runs a test file in a process of its own and returns its events, in the order in which its tests stand. */
export async function runAlone(file: string, options: RunOptions): Promise<FileEvents> {
  await using runner = new ProcessRunner(true);
  return await runner.run(file, options);
}

/** Runs test files one after another in one process, which is replaced when a file has spoilt it. */
export class ProcessRunner implements AsyncDisposable {
  readonly #isForOne: boolean;
  #child: ChildProcess | null = null;

  /** @param isForOne whether it runs one file only, which may leave behind what it likes. */
  constructor(isForOne = false) {
    this.#isForOne = isForOne;
  }

  /** Runs one file and returns its events, in the order in which its tests stand. */
  async run(file: string, options: RunOptions): Promise<FileEvents> {
    this.#child ??= this.#start(file);
    const order: Order = { file, namePattern: options.namePattern, isAlone: this.#isForOne };
    const run = new FileRun(this.#child, order, options);
    const isReusable = await run.finished();
    if (!isReusable) await this.#end("SIGKILL");
    else if (run.residentBytes > RESIDENT_MAX_BYTES) await this.#end();
    return { events: run.events, processorMs: run.processorMs };
  }

  /** Lets the process end by itself: what its files wanted to leave, it writes then. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  #start(file: string): ChildProcess {
    const ordinary = { env: {}, flags: this.#isForOne ? [] : NO_LAST_COMPILER };
    const settings = measuresMemory(file) ? startSettings() : ordinary;
    const execArgv = [...settings.flags, ...(file.endsWith(".tsx") ? ["--import", JSX_LOADER] : [])];
    const env = { ...process.env, ...settings.env };
    return fork(PROGRAM, { execArgv, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
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

/** One file in a process. */
class FileRun {
  readonly events: TestEvent[] = [];
  residentBytes = 0;
  processorMs = 0;
  readonly #child: ChildProcess;
  readonly #order: Order;
  readonly #signal: AbortSignal;
  readonly #watch: FileWatch;
  #isFailed = false;
  #isUnsuccessful = false;

  constructor(child: ChildProcess, order: Order, { signal, limits = FILE_LIMITS }: RunOptions) {
    this.#child = child;
    this.#order = order;
    this.#signal = signal;
    this.#watch = new FileWatch(limits);
  }

  /** Whether the process can take another file afterwards. */
  async finished(): Promise<boolean> {
    const end = Promise.withResolvers<string[] | string>();
    let overdue: NodeJS.Timeout | undefined;
    let fault: string | null = null;
    const giveUp = (open: string) => end.resolve(this.#ended(fault ?? "was ended", open));
    const check = setInterval(() => {
      fault = this.#watch.fault;
      if (fault === null) return;
      clearInterval(check);
      overdue = setTimeout(giveUp, SAID_WITHIN_MS, "it runs without a pause");
      // One that has just ended says so by its exit.
      this.#child.send(WHAT_IS_OPEN, () => {});
    }, CHECK_EVERY_MS);
    const onAbort = () => end.resolve("was interrupted");
    const onExit = (code: number | null, signal: string | null) => end.resolve(this.#died(signal ?? `code ${code}`));
    const onMessage = (report: Report) => {
      if ("faults" in report) {
        this.residentBytes = report.residentBytes;
        this.processorMs = report.processorMs;
        end.resolve(report.faults);
      } else if ("open" in report) giveUp(`open in it: ${report.open}`);
      else this.#note(fromWire(report.event));
    };
    const onOutput = (chunk: Buffer) => this.#note(printed(this.#order.file, chunk));
    const outputs = [this.#child.stdout, this.#child.stderr];
    this.#signal.addEventListener("abort", onAbort, { once: true });
    for (const output of outputs) output?.on("data", onOutput);
    this.#child.on("message", onMessage).on("exit", onExit);
    try {
      this.#child.send(this.#order);
      const faults = await end.promise;
      for (const words of [faults].flat()) this.#fail(words);
      if (this.#isUnsuccessful && !this.#isFailed) this.#fail("failed outside its tests");
      return typeof faults !== "string";
    } finally {
      clearInterval(check);
      clearTimeout(overdue);
      this.#signal.removeEventListener("abort", onAbort);
      for (const output of outputs) output?.off("data", onOutput);
      this.#child.off("message", onMessage).off("exit", onExit);
    }
  }

  #note(event: TestEvent): void {
    const { file } = this.#order;
    if (event.type === "test:summary") this.#isUnsuccessful = !event.data.success;
    else if (event.type === "test:diagnostic" && isFault(event.data.message)) this.#fail(event.data.message);
    else if (isAboutTests(event, file)) this.events.push(event);
    this.#isFailed ||= event.type === "test:fail";
    this.#watch.note(event, file);
  }

  #fail(words: string): void {
    this.#isFailed = true;
    this.events.push(fileFailed(this.#order.file, words));
  }

  #ended(fault: string, open: string): string {
    return `${this.#name} ${fault}; unfinished tests: ${this.#watch.unfinished}; ${open}`;
  }

  #died(how: string): string {
    return `the process of ${this.#name} ended with ${how}; unfinished tests: ${this.#watch.unfinished}`;
  }

  get #name(): string {
    return relative("", this.#order.file);
  }
}

/** Drops the runner's own counts, and its report of a file without tests as passed. */
function isAboutTests({ type, data }: TestEvent, file: string): boolean {
  if (type === "test:diagnostic") return data.file !== undefined;
  if (type === "test:pass") return data.name !== file;
  return true;
}

/** What the runner of Node says of an error that came when the test was over. */
function isFault(message: string): boolean {
  return message.startsWith("Error: ");
}

function printed(file: string, chunk: Buffer): TestEvent {
  return { type: "test:stdout", data: { file, message: chunk.toString() } } as TestEvent;
}
