import type { Developer } from "../../../domain/accounts/developer.ts";
import type { Context } from "../context.ts";
import { ConsoleError } from "./console-error.ts";

interface Queue {
  /** Settles, always well, when the last in it is done. */
  end: Promise<unknown>;
  length: number;
}

/**
 * For work that takes much of what all developers share: carries it out one at a time for each developer, in this
 * process, in the order in which it is asked for.
 *
 * @param maxWaiting how many calls of a developer may wait.
 * @returns what carries out a piece of work. It throws ConsoleError 429 when too many wait already, else what the work does.
 */
export function oneByOne({ maxWaiting }: { maxWaiting: number }) {
  const queuesOf = new WeakMap<Context, Map<string, Queue>>();
  return async <Value>(ctx: Context, { developerId }: Developer, work: () => Promise<Value>): Promise<Value> => {
    const queues = queuesOf.get(ctx) ?? new Map<string, Queue>();
    queuesOf.set(ctx, queues);
    const queue = queues.get(developerId) ?? { end: Promise.resolve(), length: 0 };
    if (queue.length > maxWaiting) throw new ConsoleError("DEVELOPER_BUSY");
    queues.set(developerId, queue);
    queue.length++;
    const turn = queue.end.then(work);
    queue.end = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      queue.length--;
      if (queue.length === 0) queues.delete(developerId);
    }
  };
}
