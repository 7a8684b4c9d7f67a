import type { Developer } from "../../../domain/accounts/developer.ts";
import { ConsoleError } from "./console-error.ts";

interface Queue {
  /** Resolves when the last call in the queue has settled; never rejects. */
  end: Promise<unknown>;
  length: number;
}

/**
 * A queue for each developer, in each process. It runs the developer's calls one at a time and in order, so that
 * expensive work of one developer does not use up what all developers share.
 */
export class KeyedQueue {
  readonly #maxWaiting: number;
  readonly #queuesOf = new WeakMap<object, Map<string, Queue>>();

  /** @param maxWaiting how many calls of one developer may wait, beside the one that runs. */
  constructor({ maxWaiting }: { maxWaiting: number }) {
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs `work` after all earlier calls of the developer, and returns its result.
   *
   * @param service stands for the running service, of which a process may have several; any object of its own.
   * @throws ConsoleError 429 when `maxWaiting` calls are waiting already; otherwise what `work` throws.
   */
  async run<Value>(service: object, { developerId }: Developer, work: () => Promise<Value>): Promise<Value> {
    const queues = this.#queuesOf.get(service) ?? new Map<string, Queue>();
    this.#queuesOf.set(service, queues);
    const queue = queues.get(developerId) ?? { end: Promise.resolve(), length: 0 };
    if (queue.length > this.#maxWaiting) throw new ConsoleError("DEVELOPER_BUSY");
    queues.set(developerId, queue);
    queue.length++;
    const result = queue.end.then(work);
    queue.end = result.catch(() => {});
    try {
      return await result;
    } finally {
      queue.length--;
      if (queue.length === 0) queues.delete(developerId);
    }
  }
}
