import { Worker } from "node:worker_threads";
import type { Checkpoint } from "./checkpoint-worker.ts";

/** A thread takes more than 10 MiB, and starts within a tenth of a second. */
const IDLE_MS = 30_000;

/** Who hears of a thread's work. */
export interface CheckpointListener {
  done(checkpoint: Checkpoint): void;
  /** The thread has failed; no other is started. */
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
  #failed = false;

  /**
   * @param path of the database.
   * @param idleMs the time without a checkpoint after which the thread ends.
   */
  constructor(path: string, listener: CheckpointListener, idleMs = IDLE_MS) {
    this.#path = path;
    this.#listener = listener;
    this.#idleMs = idleMs;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Begins a checkpoint, of which the listener hears. After a failure of the thread it does nothing. */
  begin(): void {
    if (this.#failed) return;
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.postMessage("checkpoint");
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
    this.#ending = Promise.all([this.#ending, new Promise((resolve) => worker.once("exit", resolve))]);
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
    this.#failed = true;
    this.#listener.failed(error);
  }
}
