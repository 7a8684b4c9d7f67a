import { Worker } from "node:worker_threads";
import type { Checkpoint } from "./checkpoint-worker.ts";

/** A thread takes more than 10 MiB, and starts within a tenth of a second. */
const IDLE_MS = 30_000;
/** After a failure: what it was for lack of (memory, threads, descriptors) may be there again. */
const RETRY_MS = 60_000;

/** Who hears of a thread's work. */
export interface CheckpointListener {
  done(checkpoint: Checkpoint): void;
  /** The thread has failed, or none could be started; none is for a while. */
  failed(error: unknown): void;
  /** A thread failed when it was told to end. */
  endedBadly(error: unknown): void;
}

/** Runs checkpoints in a thread, one at a time. It starts when it is needed, and ends when it has been idle. */
export class CheckpointThread {
  readonly #path: string;
  readonly #listener: CheckpointListener;
  readonly #idleMs: number;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** The end of the last thread that was told to end. */
  #ending: Promise<unknown> | null = null;
  /** Before this time, on the monotonic clock, none is started. */
  #startsFrom = Number.NEGATIVE_INFINITY;
  readonly #retryMs: number;

  /**
   * @param path of the database.
   * @param times the time without a checkpoint after which the thread ends, and from a failure until the next thread.
   */
  constructor(path: string, listener: CheckpointListener, { idleMs = IDLE_MS, retryMs = RETRY_MS } = {}) {
    this.#path = path;
    this.#listener = listener;
    this.#idleMs = idleMs;
    this.#retryMs = retryMs;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Begins a checkpoint, of whose end or failure the listener hears. False: not now, shortly after a failure. */
  begin(): boolean {
    if (performance.now() < this.#startsFrom) return false;
    clearTimeout(this.#idle);
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage("checkpoint");
    } catch (error) {
      // The system has no thread to give. What was written is on disk all the same.
      this.#fail(error);
    }
    return true;
  }

  /** Ends the thread after the checkpoint that is running; the listener hears no more of that one. */
  async close(): Promise<void> {
    this.#end();
    await this.#ending;
  }

  /** Not by termination: that would crash the process when the thread is in native code. */
  #end(): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === null) return;
    // The next checkpoint starts another one.
    this.#worker = null;
    const ended = Promise.all([this.#ending, new Promise((resolve) => worker.once("exit", resolve))]);
    this.#ending = ended.then(() => undefined);
    worker.ref();
    worker.postMessage("close");
  }

  #start(): Worker {
    const worker = new Worker(new URL("./checkpoint-worker.ts", import.meta.url), { workerData: this.#path });
    worker.on("message", (checkpoint: Checkpoint) => {
      if (worker !== this.#worker) return;
      this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref();
      this.#listener.done(checkpoint);
    });
    worker.on("error", (error) => {
      if (worker === this.#worker) this.#fail(error);
      else this.#listener.endedBadly(error);
    });
    worker.on("exit", () => {
      if (worker === this.#worker) this.#fail(new Error("the thread has ended"));
    });
    worker.unref();
    return worker;
  }

  #fail(error: unknown): void {
    this.#worker = null;
    this.#startsFrom = performance.now() + this.#retryMs;
    this.#listener.failed(error);
  }
}
