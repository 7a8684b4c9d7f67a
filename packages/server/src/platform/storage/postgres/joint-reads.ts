import { Unavailable } from "../../errors/unavailable.ts";
import type { JointQuery } from "../joint.ts";
import type { Db } from "../schema.ts";
import { hasCode } from "./outages.ts";

type AnyQuery = JointQuery<unknown, unknown>;

/** The most callers that one statement answers. */
const MOST_TOGETHER = 64;
/** The statements of one query that run at a time: the second is on its way while the first is answered. */
const AT_ONCE = 2;
/** The most callers of one query that wait for a statement. */
const MAX_WAITING = 2_000;
/** A caller that has waited longer than this for a statement is refused: the database is away, or too slow. */
const MAX_WAIT_MS = 5_000;
/** SQLSTATE codes of a statement that took too long, and of one that waited too long for a lock. */
const TIMED_OUT = new Set(["57014", "55P03"]);

interface Ask {
  params: unknown;
  /** On the monotonic clock. */
  cameAt: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The callers of one query. */
interface Queue {
  waiting: Ask[];
  running: number;
  isScheduled: boolean;
}

/**
 * Reads outside of transactions that many calls ask for. While few ask, each has a statement of its own at once; while
 * statements run, those that come meanwhile wait for one of them to end, and the next statement answers all of them. So the more
 * calls there are, the less each of them costs.
 */
export class JointReads {
  readonly #db: Db;
  readonly #queues = new Map<AnyQuery, Queue>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** @throws Unavailable when too many callers wait, or this one has waited too long. */
  ask<Params, Result>(query: JointQuery<Params, Result>, params: Params): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const queue = this.#queueOf(query as AnyQuery);
      if (queue.waiting.length >= MAX_WAITING) throw new Unavailable("too many reads are waiting for PostgreSQL");
      const cameAt = performance.now();
      // The result has the query's own type: its asks are answered by its own results.
      const ask: Ask = { params, cameAt, resolve: (result) => resolve(result as Result), reject };
      queue.waiting.push(ask);
      this.#schedule(query as AnyQuery, queue);
    });
  }

  #queueOf(query: AnyQuery): Queue {
    const known = this.#queues.get(query);
    if (known !== undefined) return known;
    const queue = { waiting: [], running: 0, isScheduled: false };
    this.#queues.set(query, queue);
    return queue;
  }

  #schedule(query: AnyQuery, queue: Queue): void {
    if (queue.isScheduled || queue.running === AT_ONCE || queue.waiting.length === 0) return;
    queue.isScheduled = true;
    // A microtask first: called outside of one, nextTick would come before all continuations of promises.
    queueMicrotask(() =>
      process.nextTick(() => {
        queue.isScheduled = false;
        void this.#answer(query, queue);
      }),
    );
  }

  /** Never throws. */
  async #answer(query: AnyQuery, queue: Queue): Promise<void> {
    refuseLate(queue);
    const asks = queue.waiting.splice(0, MOST_TOGETHER);
    if (asks.length === 0) return;
    queue.running++;
    try {
      const results = await query.joint(
        this.#db,
        asks.map(({ params }) => params),
      );
      for (const [index, { resolve }] of asks.entries()) resolve(results[index]);
    } catch (error) {
      await this.#failed(query, asks, error);
    } finally {
      queue.running--;
      this.#schedule(query, queue);
    }
  }

  /**
   * One caller's failure is not the others', nor is the time that its answer takes: unless the database is away, each of
   * them asks alone.
   */
  async #failed(query: AnyQuery, asks: readonly Ask[], error: unknown): Promise<void> {
    const isAway = error instanceof Unavailable && !hasCode(error, TIMED_OUT);
    if (isAway || asks.length === 1) {
      for (const { reject } of asks) reject(error);
      return;
    }
    const askAlone = async ({ params, resolve, reject }: Ask) => {
      try {
        resolve(await query.alone(this.#db, params));
      } catch (own) {
        reject(own);
      }
    };
    await Promise.all(asks.map(askAlone));
  }
}

/** Refuses the callers that have waited too long; they are the first. */
function refuseLate({ waiting }: Queue): void {
  const since = performance.now() - MAX_WAIT_MS;
  const kept = waiting.findIndex(({ cameAt }) => cameAt >= since);
  for (const { reject } of waiting.splice(0, kept === -1 ? waiting.length : kept)) {
    reject(new Unavailable("a read has waited too long for PostgreSQL"));
  }
}
