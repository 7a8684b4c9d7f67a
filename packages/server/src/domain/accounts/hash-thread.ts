import { Worker } from "node:worker_threads";

/** What hashing a password with Argon2id takes. */
export interface HashCost {
  memoryKib: number;
  passes: number;
}

/** What is to be hashed. */
export interface HashOrder {
  password: string;
  salt: Uint8Array;
  cost: HashCost;
}

/** A thread of our own in which passwords are hashed, one at a time; it is started when it is first needed. */
export class HashThread {
  #worker: Worker | null = null;
  #order: PromiseWithResolvers<Buffer> | null = null;

  /** The Argon2id tag of a password. To be asked for the next one once it has answered. */
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
      // Whoever waits for an answer keeps the process alive, the thread alone does not.
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
