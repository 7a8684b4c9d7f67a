import { Worker } from "node:worker_threads";

/** The cost parameters of Argon2id. */
export interface HashCost {
  memoryKib: number;
  passes: number;
}

/** Input of one hash. */
export interface HashOrder {
  password: string;
  salt: Uint8Array;
  cost: HashCost;
}

/** A thread takes some 15 MiB, and starts within a tenth of a second. */
const IDLE_MS = 20_000;

/** A worker thread that hashes passwords, one at a time. It starts when it is needed, and ends when it has been idle. */
export class HashThread {
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;
  #worker: Worker | null = null;
  #order: PromiseWithResolvers<Buffer> | null = null;

  /** @param idleMs the time without an order after which the thread ends. */
  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Computes the Argon2id tag of a password. The caller must wait for the result before it asks for the next one. */
  tag(order: HashOrder): Promise<Buffer> {
    const answer = Promise.withResolvers<Buffer>();
    this.#order = answer;
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(order);
    return answer.promise;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #end(): void {
    const worker = this.#worker;
    // The next order starts another one.
    this.#worker = null;
    void worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./hash-worker.ts", import.meta.url));
    worker.on("message", (tag: Uint8Array) => {
      // A pending request keeps the process alive; the idle thread does not.
      worker.unref();
      this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref();
      this.#order?.resolve(Buffer.from(tag));
    });
    const end = (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      clearTimeout(this.#idle);
      this.#order?.reject(error);
    };
    worker.on("error", end);
    worker.on("exit", () => end(new Error("the thread that hashes passwords has ended")));
    return worker;
  }
}
