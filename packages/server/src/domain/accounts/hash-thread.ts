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

/** A worker thread that hashes passwords, one at a time. It starts on first use. */
export class HashThread {
  #worker: Worker | null = null;
  #order: PromiseWithResolvers<Buffer> | null = null;

  /** Computes the Argon2id tag of a password. The caller must wait for the result before it asks for the next one. */
  tag(order: HashOrder): Promise<Buffer> {
    const answer = Promise.withResolvers<Buffer>();
    this.#order = answer;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(order);
    return answer.promise;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./hash-worker.ts", import.meta.url));
    worker.on("message", (tag: Uint8Array) => {
      // A pending request keeps the process alive; the idle thread does not.
      worker.unref();
      this.#order?.resolve(Buffer.from(tag));
    });
    const end = (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#order?.reject(error);
    };
    worker.on("error", end);
    worker.on("exit", () => end(new Error("the thread that hashes passwords has ended")));
    return worker;
  }
}
