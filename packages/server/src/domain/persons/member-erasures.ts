import type { ErasedOfMember } from "@portico/protocol/schemas";
import type { Logger } from "pino";
import { JOB_LEASE_MS, JobRounds } from "../../platform/job-rounds.ts";
import type { ConversationFeeds } from "../conversations/live/conversation-feeds.ts";
import type { DeskParts } from "../customer-service/at-desk.ts";
import { STEPS, stepAfter } from "./erasure-steps.ts";
import {
  finishErasure,
  haveEarlierEnded,
  type LeasedErasure,
  LeaseLost,
  listWaitingErasures,
  noteProgress,
  releaseErasure,
  takeAllErasuresBack,
  takeErasure,
} from "./erasure-store.ts";
import type { Outcome } from "./step.ts";

/** How many are begun of those that wait, and how many windows of one are worked on in turn. */
const AT_ONCE = 20;
const WINDOWS_PER_TURN = 50;

/** What erasures need. */
export interface MemberErasureParts extends DeskParts {
  live: Pick<ConversationFeeds, "changed">;
  log: Logger;
}

/**
 * Removes what erased members have left, in the background: in small units of work, so that nobody waits, and one window of
 * a table after another. How far each has come is in the database, so that after a stop or a kill whichever process comes
 * next goes on from there; one process works on an erasure at a time, under a lease.
 */
export class MemberErasures {
  readonly #parts: MemberErasureParts;
  readonly #rounds: JobRounds;

  constructor(parts: MemberErasureParts) {
    const { storage, clock, log } = parts;
    this.#parts = parts;
    this.#rounds = new JobRounds({
      log,
      called: "erasures",
      list: () => listWaitingErasures(storage.db, clock.now(), AT_ONCE),
      turn: (userId) => this.#turn(userId),
      interrupted(userId, error) {
        if (error instanceof LeaseLost) return;
        log.warn({ err: error, userId }, "the erasure of a member was interrupted; taken up again when its lease ends");
      },
    });
  }

  /** Goes on with unfinished erasures, and looks for others at intervals. */
  async start(): Promise<void> {
    const { storage } = this.#parts;
    // Embedded, whoever had them is dead.
    if (storage.dialect === "sqlite") await storage.write(takeAllErasuresBack);
    this.#rounds.start();
  }

  /** Looks for erasures at once; call it when one has begun. */
  wake(): void {
    this.#rounds.wake();
  }

  /** Ends after the window in progress, and leaves the rest to whoever comes next. */
  async close(): Promise<void> {
    await this.#rounds.close();
  }

  /** Works on an erasure for one turn. Returns whether it has more work at once. */
  async #turn(userId: string): Promise<boolean> {
    const { storage, clock } = this.#parts;
    const taken = await storage.unhurried.write((tx) =>
      takeErasure(tx, userId, clock.now(), clock.now() + JOB_LEASE_MS),
    );
    if (taken === null) return false;
    const { afterTransaction, ...rest } = taken;
    let held: LeasedErasure = rest;
    const mayBegin = await haveEarlierEnded(storage.db, taken, clock.now());
    for (let windows = 0; mayBegin && !this.#rounds.isClosing && windows < WINDOWS_PER_TURN; windows++) {
      const next = await this.#window(held);
      if (next === null) return false;
      held = next;
    }
    await storage.unhurried.write((tx) => releaseErasure(tx, held));
    return mayBegin;
  }

  /** Works on one window. Returns the erasure as it goes on; null when it is finished. */
  async #window(begun: LeasedErasure): Promise<LeasedErasure | null> {
    const { storage, clock, live } = this.#parts;
    let held = begun;
    const { work, next } = await STEPS[held.step](this.#parts, held, held.position);
    for (const unit of work) {
      let outcome: Outcome = {};
      const leaseEnd = this.#leaseEnd(held);
      const before = held;
      let after = held;
      await storage.unhurried.write(async (tx) => {
        outcome = await unit(tx);
        after = { ...before, erased: sumOf(before.erased, outcome.erased) };
        await noteProgress(tx, after, leaseEnd);
      });
      held = { ...after, leaseEnd };
      for (const { conversationKey, msgSeq } of outcome.changed ?? []) live.changed(conversationKey, msgSeq);
    }
    const step = next === null ? stepAfter(held.step) : held.step;
    if (step === null) {
      await storage.unhurried.write((tx) => finishErasure(tx, held, clock.now()));
      return null;
    }
    const leaseEnd = this.#leaseEnd(held);
    const moved = { ...held, step, position: next ?? "" };
    await storage.unhurried.write((tx) => noteProgress(tx, moved, leaseEnd));
    return { ...moved, leaseEnd };
  }

  /** Each end differs from the one before, so that it tells whose the lease is. */
  #leaseEnd({ leaseEnd }: LeasedErasure): number {
    return Math.max(this.#parts.clock.now() + JOB_LEASE_MS, leaseEnd + 1);
  }
}

function sumOf(erased: ErasedOfMember, more: Partial<ErasedOfMember> = {}): ErasedOfMember {
  const sum = { ...erased };
  for (const [name, count] of Object.entries(more)) sum[name as keyof ErasedOfMember] += count;
  return sum;
}
