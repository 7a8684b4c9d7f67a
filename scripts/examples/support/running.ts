import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Long, because a busy machine is slow, and that proves nothing. */
const WAIT_MS = 180_000;

/** A program that runs until it is stopped. */
export class Running implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = "";
  #arrived = new AbortController();

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "close");
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.#note(text));
    }
    child.once("close", () => this.#note("\n(it has ended)\n"));
  }

  /** Starts it in a group of processes of its own, so that what it starts ends with it. */
  static start(
    command: readonly [program: string, ...args: string[]],
    cwd: string,
    env: Readonly<Record<string, string>> = {},
  ): Running {
    const [program, ...args] = command;
    return new Running(
      spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"], detached: true }),
    );
  }

  /** What it has written so far. */
  get output(): string {
    return this.#output;
  }

  /** Waits until it has written this. @throws Error with its output when it has ended, or takes too long. */
  async writes(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = AbortSignal.timeout(WAIT_MS);
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found !== null) return found;
      if (deadline.aborted || this.#output.endsWith("(it has ended)\n")) {
        throw new Error(`it did not write ${pattern}:\n${this.#output}`);
      }
      const signal = AbortSignal.any([deadline, this.#arrived.signal]);
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null) {
      process.kill(-pid, "SIGTERM");
    }
    await this.#ended;
  }

  #note(text: string): void {
    this.#output += text;
    const arrived = this.#arrived;
    this.#arrived = new AbortController();
    arrived.abort();
  }
}
