import { coalesced } from "../../platform/coalesced.ts";
import type { Coordination, RecordedCalls } from "../../platform/coordination/coordination.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { DayLedger, DayUse } from "./day-ledger.ts";
import { foldUses, noteUse } from "./day-uses.ts";
import { NoteHorizon } from "./note-horizon.ts";

/** Short: the next counter that is lost waits for it. */
const FOLD_EVERY_MS = 100;
/** Transactions that have noted a call are over after this, except those of a process that stands still. */
const COMMITTED_WITHIN_MS = 3_000;
/** What others have left, because they were killed or stood still, is looked for this often. */
const LOOK_EVERY_MS = 1_000;
/**
 * A record is told for so long until somebody could compare it. A load of a counter that has begun before it is over by then, and
 * a later one begins with it.
 */
const TOLD_FOR_MS = 15_000;
/** So many records that nobody could compare with a counter yet are remembered. */
const MOST_UNSETTLED = 10_000;

/**
 * For several processes. Each call is noted in its own transaction, so that none is missing when its process is killed, and Redis
 * loses its counters as well. Notes are added up ten times a second, by any process, whoever has made them. A process that
 * stood still may commit one too late for a counter that was lost and loaded again, so each record is told to the coordination,
 * which compares the two.
 */
export class SharedDayLedger implements DayLedger {
  readonly #storage: Pick<Storage, "writeStatement" | "writeBeside">;
  readonly #coordination: Pick<Coordination, "recorded">;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #unsettled: { calls: RecordedCalls; sinceMs: number }[] = [];
  readonly #horizon = new NoteHorizon();
  #folding: Promise<void> | null = null;
  /** Until then a transaction of this process may commit what it has noted; by `performance.now()`. */
  #busyUntilMs = 0;
  #lookAtMs = 0;

  constructor(
    storage: Pick<Storage, "writeStatement" | "writeBeside">,
    coordination: Pick<Coordination, "recorded">,
    onError: (error: unknown) => void,
  ) {
    this.#storage = storage;
    this.#coordination = coordination;
    this.#onError = onError;
    this.#timer = setInterval(() => this.#foldInTime(), FOLD_EVERY_MS);
  }

  record(tx: Db, use: DayUse): Promise<void> | void {
    this.#busyUntilMs = performance.now() + COMMITTED_WITHIN_MS;
    return noteUse(tx, use);
  }

  /** Those who ask wait for it within their transactions. */
  readonly gathered = coalesced(() => this.#foldAll((unit) => this.#storage.writeBeside(unit), this.#horizon.id));

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#folding;
    await this.#fold();
  }

  /** A slow database is not asked again before it has answered. */
  #foldInTime(): void {
    const now = performance.now();
    const isDue = now < this.#busyUntilMs || now >= this.#lookAtMs || this.#unsettled.length > 0;
    if (!isDue || this.#folding !== null) return;
    this.#lookAtMs = now + LOOK_EVERY_MS;
    this.#folding = this.#fold().finally(() => {
      this.#folding = null;
    });
  }

  /** Never rejects: what could not be added up is still there next time. */
  async #fold(): Promise<void> {
    try {
      await this.#foldAll((unit) => this.#storage.writeStatement(unit), this.#horizon.at(performance.now()));
    } catch (error) {
      this.#onError(error);
    }
    await this.#settle();
  }

  async #foldAll(write: Storage["writeStatement"], above: number): Promise<void> {
    for (let isPart = true; isPart; ) {
      const beganAt = performance.now();
      const folded = await write((db) => foldUses(db, above));
      this.#unsettled.push(...folded.recorded.map((calls) => ({ calls, sinceMs: beganAt })));
      isPart = folded.isPart;
      if (!isPart) this.#horizon.folded(folded.lastId, beganAt);
    }
  }

  /** Tells the coordination what has been recorded; what it cannot compare yet is told again. */
  async #settle(): Promise<void> {
    const told = this.#unsettled.splice(0);
    const settled = await Promise.all(told.map(({ calls }) => this.#coordination.recorded(calls)));
    const since = performance.now() - TOLD_FOR_MS;
    this.#unsettled.push(...told.filter(({ sinceMs }, index) => !settled[index] && sinceMs > since));
    this.#unsettled.splice(0, this.#unsettled.length - MOST_UNSETTLED);
  }
}
