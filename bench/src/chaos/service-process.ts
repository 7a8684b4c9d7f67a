import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startSettings } from "../../../scripts/test-run/start-settings.ts";

/** An instruction to a running process: set its clock ahead (or back), or fail its next sync. */
export type Order = { aheadMs: number } | { failNextSync: true };

/** The end of a process: its exit code, or the signal that ended it. */
export type Ending = number | NodeJS.Signals;

const PROGRAM = fileURLToPath(new URL("controlled-service.ts", import.meta.url));
/** The delay of a supervisor such as systemd before it starts a process again. */
const RESTART_AFTER_MS = 200;
const STOP_WITHIN_MS = 15_000;
const OUTPUT_CHARACTERS = 16_384;

/**
 * One process of the service under a supervisor, which starts it again whenever it ends, at the same address.
 */
export class ServiceProcess {
  readonly port: number;
  readonly #env: Record<string, string>;
  readonly #onEnd: (ending: Ending, output: string) => void;
  readonly #logFile: string | null;
  #child: ChildProcess | null = null;
  /** The last process that was told to end. */
  #ending: ChildProcess | null = null;
  #output = "";
  #outputBefore = "";
  #isSupervised = true;
  #supervising: Promise<void>;
  /** Whether it is stopped by SIGSTOP. */
  #isFrozen = false;

  /**
   * @param onEnd called each time the process ends, with the end of its output.
   * @param logFile the file to which all its output is added; null for none.
   */
  constructor(
    port: number,
    env: Record<string, string>,
    onEnd: (ending: Ending, output: string) => void,
    logFile: string | null,
  ) {
    this.port = port;
    this.#logFile = logFile;
    this.#env = { ...env, PORTICO_PORT: String(port) };
    this.#onEnd = onEnd;
    this.#supervising = this.#supervise();
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Ends the process by a signal; the supervisor starts it again. */
  end(signal: "SIGTERM" | "SIGKILL"): void {
    this.#ending = this.#child;
    this.#child?.kill(signal);
  }

  /** Fails the next sync of the database's log, after which the process ends. */
  failNextSync(): void {
    this.#ending = this.#child;
    this.#order({ failNextSync: true });
  }

  /** Sets its clock ahead, or back. */
  setClockAhead(aheadMs: number): void {
    this.#order({ aheadMs });
  }

  #order(order: Order): void {
    const child = this.#child;
    if (child?.connected) child.send(order, () => {});
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#child?.kill("SIGCONT");
  }

  /** Resolves with true once it is ready, in a new process if the current one is to end; with false when it is not in time. */
  async isReadyWithin(ms: number): Promise<boolean> {
    for (const deadline = performance.now() + ms; performance.now() < deadline; ) {
      const ready = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ status }) => status === 200 && this.#child !== this.#ending,
        () => false,
      );
      if (ready) return true;
      await sleep(50);
    }
    return false;
  }

  /** The end of its output, or of its output before it ended last. */
  get lastWords(): string {
    return this.#output || this.#outputBefore;
  }

  /** Ends the process for good, in order. */
  async stop(): Promise<void> {
    this.#isSupervised = false;
    if (this.#isFrozen) this.thaw();
    this.end("SIGTERM");
    const killer = setTimeout(() => this.end("SIGKILL"), STOP_WITHIN_MS);
    await this.#supervising;
    clearTimeout(killer);
  }

  async #supervise(): Promise<void> {
    while (this.#isSupervised) {
      const child = this.#launch();
      this.#child = child;
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      if (!this.#isSupervised) return;
      this.#onEnd(endingOf(child), this.#output);
      await sleep(RESTART_AFTER_MS);
    }
  }

  #launch(): ChildProcess {
    const { env, flags } = startSettings();
    const child = spawn(process.execPath, [...flags, PROGRAM], {
      env: { PATH: process.env.PATH, ...env, ...this.#env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#outputBefore = this.#output;
    this.#output = "";
    this.#isFrozen = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-OUTPUT_CHARACTERS);
        if (this.#logFile !== null) appendFileSync(this.#logFile, text);
      });
    }
    return child;
  }
}

function endingOf(child: ChildProcess): Ending {
  return child.exitCode ?? child.signalCode ?? "SIGKILL";
}
