import type { ErasedOfMember } from "@portico/protocol/schemas";
import type { Logger } from "pino";
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

/** A process that has died or hangs loses its erasures after this time. */
const LEASE_MS = 30_000;
/** How often erasures of other processes, and interrupted ones, are looked for. */
const LOOK_EVERY_MS = 3_000;
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
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | null = null;
  /** Whether there may be work that the rounds in progress have not seen. */
  #again = false;
  #closing = false;

  constructor(parts: MemberErasureParts) {
    this.#parts = parts;
  }

  /** Goes on with unfinished erasures, and looks for others at intervals. */
  async start(): Promise<void> {
    const { storage } = this.#parts;
    // Embedded, whoever had them is dead.
    if (storage.dialect === "sqlite") await storage.write(takeAllErasuresBack);
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.wake();
  }

  /** Looks for erasures at once; call it when one has begun. */
  wake(): void {
    this.#again = true;
    if (!this.#closing) this.#working ??= this.#work();
  }

  /** Ends after the window in progress, and leaves the rest to whoever comes next. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    try {
      while (this.#again && !this.#closing) {
        this.#again = false;
        if (await this.#round()) this.#again = true;
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, "erasures could not be read; tried again shortly");
    } finally {
      this.#working = null;
    }
  }

  /** Gives each erasure a turn. Returns whether one of them has more work at once. */
  async #round(): Promise<boolean> {
    const { storage, clock, log } = this.#parts;
    let more = false;
    for (const userId of await listWaitingErasures(storage.db, clock.now(), AT_ONCE)) {
      if (this.#closing) return false;
      try {
        if (await this.#turn(userId)) more = true;
      } catch (error) {
        if (error instanceof LeaseLost) continue;
        log.warn({ err: error, userId }, "the erasure of a member was interrupted; taken up again when its lease ends");
      }
    }
    return more;
  }

  /** Works on an erasure for one turn. Returns whether it has more work at once. */
  async #turn(userId: string): Promise<boolean> {
    const { storage, clock } = this.#parts;
    const taken = await storage.unhurried.write((tx) => takeErasure(tx, userId, clock.now(), clock.now() + LEASE_MS));
    if (taken === null) return false;
    const { afterTransaction, ...rest } = taken;
    let held: LeasedErasure = rest;
    const mayBegin = await haveEarlierEnded(storage.db, taken, clock.now());
    for (let windows = 0; mayBegin && !this.#closing && windows < WINDOWS_PER_TURN; windows++) {
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
    return Math.max(this.#parts.clock.now() + LEASE_MS, leaseEnd + 1);
  }
}

function sumOf(erased: ErasedOfMember, more: Partial<ErasedOfMember> = {}): ErasedOfMember {
  const sum = { ...erased };
  for (const [name, count] of Object.entries(more)) sum[name as keyof ErasedOfMember] += count;
  return sum;
}
