import assert from "node:assert/strict";
import type { Claim } from "../../src/domain/webhooks/dispatcher/app-deliveries.ts";
import type { Bounds } from "../../src/domain/webhooks/dispatcher/bounds.ts";
import { DeliveryMachine } from "../../src/domain/webhooks/dispatcher/delivery-machine.ts";
import type { Moment, Step } from "../../src/domain/webhooks/dispatcher/steps.ts";
import { MemoryCircuits } from "../../src/platform/coordination/memory-circuits.ts";

/** Probabilities (0 to 1) of the events in a {@link ModelWorld}; `seed` decides which happen. */
export interface Chances {
  seed: number;
  /** An attempt takes a second instead of some milliseconds. */
  slow: number;
  /** A receiver answers 500. */
  failing: number;
  /** A poll or an attempt fails within the service. */
  broken: number;
  /** A poll finds due rows that are locked. */
  lockedRows: number;
  /** A row is written by this process, which claims it if it can. */
  handedOver: number;
}

interface Row {
  app: number;
  dueAt: number | null;
  /** When the row was due before it was claimed. */
  wasDueAt: number;
  isClaimed: boolean;
  tries: number;
}

interface ModelClaim extends Claim {
  readonly row: Row;
  /** The position in which the machine got it. */
  readonly order: number;
}

const BEGIN = 1_000_000;
const SLOW_MS = 1_000;
const LEASE_MS = 8_000;
const RETRY_MS = 2_000;
const MAX_TRIES = 3;
const POLL_EVERY_MS = 5_000;
const MAX_EVENTS = 200_000;
const CIRCUIT = { windowMs: 60_000, minimum: 5, failureRate: 0.5, openForMs: 3_000, probeLeaseMs: 10_000 };

/**
 * A simulation of everything around a {@link DeliveryMachine}, with simulated time: due rows, circuits (the real ones
 * of one process), receivers and the driver. It asserts the machine's promises at every step.
 */
export class ModelWorld {
  readonly #machine: DeliveryMachine<ModelClaim>;
  readonly #circuits = new MemoryCircuits(CIRCUIT);
  readonly #bounds: Bounds;
  readonly #chances: Chances;
  readonly #hanging: number;
  readonly #rows: Row[];
  #random: number;
  #now = BEGIN;
  #events: { at: number; order: number; run(): void }[] = [];
  #order = 0;
  #timerAt = Number.POSITIVE_INFINITY;
  #isClosed = false;
  readonly #attempting = new Map<number, Set<ModelClaim>>();
  readonly #attempted = new Set<ModelClaim>();
  /** Applications whose probe is held. */
  readonly #probed = new Set<string>();
  readonly #lastOrder = new Map<number, number>();
  readonly #firstAttempt = new Map<number, number>();

  /** @param dues applications with a due row, and how long after the start each is due. */
  constructor(bounds: Bounds, chances: Chances, dues: readonly { app: number; at: number }[], { hanging = 0 } = {}) {
    this.#bounds = bounds;
    this.#chances = chances;
    this.#hanging = hanging;
    this.#random = chances.seed | 1;
    this.#machine = new DeliveryMachine(bounds);
    this.#rows = dues.map(({ app, at }) => {
      const dueAt = BEGIN + at;
      return { app, dueAt, wasDueAt: dueAt, isClaimed: false, tries: 0 };
    });
  }

  start(): void {
    this.#change((machine) => machine.start());
    for (const row of this.#rows) {
      const { wasDueAt } = row;
      this.#after(wasDueAt - BEGIN, () => this.#write(row));
    }
    // Only lost rows must be found by looking; all others are found through hints and the timer.
    if (this.#chances.broken > 0) this.#after(POLL_EVERY_MS, () => this.#pollForLost());
  }

  /** Lets up to this many events happen. */
  run(events: number): void {
    for (let left = events; left > 0 && this.#next(); left--);
  }

  runUntilIdle(): void {
    this.runUntil(() => false);
  }

  runUntil(isOver: () => boolean): void {
    for (let count = 0; !isOver() && this.#next(); count++) assert.ok(count < MAX_EVENTS, "it goes on without end");
  }

  /** Closes the machine, ends running attempts, and releases remaining claims. */
  close(): void {
    this.#isClosed = true;
    this.#change((machine) => machine.close());
    this.runUntil(() => this.#machine.isQuiet);
    for (const { row } of this.#machine.remaining()) this.#release(row);
  }

  unfinished(): Row[] {
    return this.#rows.filter(({ dueAt }) => dueAt !== null);
  }

  /** Rows that are still claimed although no failure explains it. */
  claimedByNobody(): Row[] {
    return this.#chances.broken > 0 ? [] : this.#rows.filter(({ isClaimed }) => isClaimed);
  }

  /** The time of the application's first attempt, in milliseconds after the start. */
  firstAttemptOf(app: number): number | null {
    const at = this.#firstAttempt.get(app);
    return at === undefined ? null : at - BEGIN;
  }

  #next(): boolean {
    let next = 0;
    for (const [index, { at, order }] of this.#events.entries()) {
      const first = this.#events[next];
      if (first !== undefined && (at < first.at || (at === first.at && order < first.order))) next = index;
    }
    const [event] = this.#events.splice(next, 1);
    if (event === undefined) return false;
    this.#now = Math.max(this.#now, event.at);
    event.run();
    return true;
  }

  #after(delayMs: number, run: () => void): void {
    this.#events.push({ at: this.#now + delayMs, order: this.#order++, run });
  }

  /** A pseudo-random number from 0 to 1 (linear congruential generator). */
  #chance(): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#random / 2 ** 32;
  }

  #soon(run: () => void): void {
    this.#after(1 + Math.floor(this.#chance() * 20), run);
  }

  #change<T>(transition: (machine: DeliveryMachine<ModelClaim>, at: Moment) => T): T {
    const result = transition(this.#machine, { now: this.#now, monotonic: this.#now });
    for (const step of this.#machine.takeSteps()) this.#carryOut(step);
    return result;
  }

  #carryOut(step: Step<ModelClaim>): void {
    if (step.step === "timer") this.#arm(step.at);
    else if (step.step === "release") this.#soon(() => this.#releaseAll(step.appId, step.claims));
    else if (step.step !== "announce") {
      assert.ok(!this.#isClosed, "nothing begins after the close");
      if (step.step === "poll") this.#soon(() => this.#poll(step.appId));
      else this.#attempt(step.claim);
    }
  }

  /** Like DueTimer: keeps only the nearest time. */
  #arm(at: number): void {
    if (at >= this.#timerAt) return;
    this.#timerAt = at;
    this.#after(Math.max(0, at - this.#now), () => {
      if (this.#timerAt !== at) return;
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#change((machine, moment) => machine.timerEnded(moment));
    });
  }

  /** A row becomes due, or is written under a claim; the claim is this process's once its transaction has ended. */
  #write(row: Row): void {
    const appId = `${row.app}`;
    const isOurs = row.dueAt !== null && row.dueAt <= this.#now && !row.isClaimed;
    const isHandedOver = isOurs && this.#chance() < this.#chances.handedOver;
    if (!isHandedOver || !this.#change((machine, at) => machine.reserve(appId, at))) {
      this.#change((machine, at) => machine.wake(appId, at));
      return;
    }
    const claimedAt = this.#now;
    row.isClaimed = true;
    row.dueAt = this.#now + LEASE_MS;
    this.#after(this.#chance() < 0.1 ? 3_000 : 1 + Math.floor(this.#chance() * 20), () => {
      const isLost = this.#chance() < this.#chances.broken;
      const claim: ModelClaim = { appId, row, claimedAt, probe: null, stage: "waiting", order: this.#order++ };
      this.#change((machine, at) => machine.written(appId, 1, isLost ? [] : [claim], at));
      if (!isLost) return;
      this.#release(row);
      this.#change((machine, at) => machine.wake(appId, at));
    });
  }

  #poll(appId: string): void {
    const askedAt = this.#now;
    const passage = this.#circuits.enter(appId, this.#now);
    if (passage.pass === "none") {
      this.#change((machine, at) => machine.refused(appId, passage.until, at));
      this.#change((machine, at) => machine.pollEnded(appId, at));
      return;
    }
    const probe = passage.pass === "probe" ? passage.probe : null;
    const limit = this.#change((machine) => machine.admitted(appId, probe !== null, askedAt));
    const now = this.#now;
    this.#soon(() => {
      const isBroken = this.#chance() < this.#chances.broken;
      const rows = isBroken || this.#chance() < this.#chances.lockedRows ? [] : this.#receive(appId, limit, now);
      if (rows.length === 0 && probe !== null) this.#circuits.giveBack(appId, probe, this.#now);
      if (isBroken) {
        this.#change((machine, at) => machine.pollFailed(appId, at));
        return;
      }
      this.#claimed(appId, rows, { limit, probe, now });
    });
  }

  #claimed(
    appId: string,
    rows: Row[],
    { limit, probe, now }: { limit: number; probe: string | null; now: number },
  ): void {
    if (probe !== null && rows.length > 0) this.#probed.add(appId);
    const claims = rows.map((row): ModelClaim => {
      const stage = "waiting";
      return { appId, row, claimedAt: this.#now, probe, stage, order: this.#order++ };
    });
    this.#change((machine, at) => machine.claimed(appId, claims, limit, at));
    this.#soon(() => {
      if (claims.length < limit) {
        const dues = this.#rows.filter(({ app }) => `${app}` === appId).flatMap(({ dueAt }) => dueAt ?? []);
        const next = dues.length === 0 ? null : Math.min(...dues);
        const isHeld = claims.length === 0 && next !== null && next <= now;
        const dueAt = isHeld ? this.#now + this.#bounds.heldPauseMs : next;
        this.#change((machine, at) => machine.schedule(appId, dueAt, at));
      }
      this.#change((machine, at) => machine.pollEnded(appId, at));
    });
  }

  #receive(appId: string, limit: number, now: number): Row[] {
    const due = this.#rows
      .filter(({ app, dueAt }) => `${app}` === appId && dueAt !== null && dueAt <= now)
      .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
      .slice(0, limit);
    for (const row of due) {
      row.wasDueAt = row.dueAt ?? now;
      row.isClaimed = true;
      row.dueAt = this.#now + LEASE_MS;
    }
    return due;
  }

  #attempt(claim: ModelClaim): void {
    const { appId, row, order } = claim;
    assert.equal(claim.stage, "attempting");
    assert.ok(!this.#attempted.has(claim), "no claim is attempted twice");
    this.#attempted.add(claim);
    assert.ok(claim.probe !== null || !this.#probed.has(appId), "beside a probe nothing else begins");
    assert.ok(order > (this.#lastOrder.get(row.app) ?? -1), "claims of an application are attempted in their order");
    this.#lastOrder.set(row.app, order);
    if (!this.#firstAttempt.has(row.app)) this.#firstAttempt.set(row.app, this.#now);
    const beside = this.#attempting.get(row.app) ?? new Set();
    this.#attempting.set(row.app, beside.add(claim));
    assert.ok(beside.size <= this.#bounds.perApp, "an application has perApp attempts at most");
    const all = [...this.#attempting.values()].reduce((sum, { size }) => sum + size, 0);
    assert.ok(all <= this.#bounds.maxAttempting + this.#bounds.maxShared, "all attempts keep to their bound");
    const rows = [...this.#attempting.values()].flatMap((claims) => [...claims].map((other) => other.row));
    assert.equal(new Set(rows).size, rows.length, "no delivery is attempted twice at the same time");
    const isSlow = row.app < this.#hanging || this.#chance() < this.#chances.slow;
    const durationMs = isSlow ? SLOW_MS : 1 + Math.floor(this.#chance() * 20);
    this.#after(durationMs, () => {
      beside.delete(claim);
      if (this.#chance() < this.#chances.broken) this.#fail(claim);
      else this.#settle(claim, { appId, durationMs });
    });
  }

  #settle(claim: ModelClaim, { appId, durationMs }: { appId: string; durationMs: number }): void {
    const { row } = claim;
    const success = this.#chance() >= this.#chances.failing;
    const passes = this.#circuits.record(appId, success, claim.probe, this.#now);
    const fast = success && durationMs < SLOW_MS;
    if (claim.probe !== null) this.#probed.delete(appId);
    this.#change((machine, at) => machine.judged(claim, { success, fast, passes }, at));
    this.#change((machine, at) => machine.attempted(claim, at));
    this.#soon(() => {
      row.isClaimed = false;
      row.tries++;
      row.dueAt = success || row.tries === MAX_TRIES ? null : this.#now + RETRY_MS;
      this.#change((machine, at) => machine.recorded(claim, row.dueAt, at));
    });
  }

  #fail(claim: ModelClaim): void {
    this.#returnProbe(claim);
    this.#change((machine, at) => (this.#isClosed ? machine.interrupted(claim, at) : machine.failed(claim, at)));
  }

  #releaseAll(appId: string, claims: readonly ModelClaim[]): void {
    for (const claim of claims) {
      this.#release(claim.row);
      this.#returnProbe(claim);
    }
    this.#change((machine, at) => machine.released(appId, claims, at));
  }

  #release(row: Row): void {
    row.isClaimed = false;
    row.dueAt = row.wasDueAt;
  }

  #returnProbe({ appId, probe }: ModelClaim): void {
    if (probe === null) return;
    this.#probed.delete(appId);
    this.#circuits.giveBack(appId, probe, this.#now);
    this.#change((machine) => machine.probeReturned(appId));
  }

  #pollForLost(): void {
    for (const { app, dueAt } of this.#rows) this.#change((machine, at) => machine.schedule(`${app}`, dueAt, at));
    this.#change((machine, at) => machine.advanceAll(at));
    if (this.unfinished().length > 0 && !this.#isClosed) this.#after(POLL_EVERY_MS, () => this.#pollForLost());
  }
}
