import type { Logger } from "pino";
import type { Config } from "../../../platform/config/config.ts";
import type { Coordination } from "../../../platform/coordination/coordination.ts";
import { OncePerTurn } from "../../../platform/coordination/once-per-turn.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { ClaimedDelivery } from "../claimed-delivery.ts";
import { laneOf } from "../delivery-lane.ts";
import { releaseClaims } from "../delivery-store.ts";
import type { DueClock } from "../due-clock.ts";
import { type Outcome, recordOutcomes } from "../settle-claims.ts";
import type { Bounds } from "./bounds.ts";
import { CircuitReports } from "./circuit-reports.ts";
import type { Deliver } from "./deliver.ts";
import { DeliveryMachine } from "./delivery-machine.ts";
import type { DueDeliveries } from "./due-deliveries.ts";
import { DueTimer } from "./due-timer.ts";
import type { NewClaim, Reserving } from "./hand-over.ts";
import { FreshRecipients, type HeldDelivery, leaseMsFor } from "./held-delivery.ts";
import { Settlements } from "./settlements.ts";
import type { Moment, Step } from "./steps.ts";

/** How often the database is asked what is due: hints may be lost, and processes may die. */
const POLL_EVERY_MS = 5_000;
const FINISH_WITHIN_MS = 3_000;
/** The dependencies of a dispatcher. */
export interface DispatcherParts {
  storage: Storage;
  coordination: Coordination;
  dueClock: DueClock;
  config: Config;
  log: Logger;
  /** The deliveries that it is for. */
  deliveries: DueDeliveries;
  bounds: Bounds;
  deliver: Deliver;
  /** Announces to the other dispatchers that an application's circuit may be asked again. */
  announce(appId: string): void;
  /** Called when a delivery was given to the other transport. */
  passedOn?(appId: string): void;
  /** Called when the outcome of a delivery is on disk, or cannot be written. */
  settled?(delivery: ClaimedDelivery): void;
}

/**
 * Claims due deliveries of one transport and has them attempted. Notifications are hints: the database determines what is
 * due, and a lease there prevents other processes from claiming the same delivery.
 *
 * {@link DeliveryMachine} decides what is done when, and for which application. This class carries out its steps and
 * reports their results, each in one transition; it makes no decisions.
 */
export class Dispatcher implements Reserving {
  readonly #parts: DispatcherParts;
  readonly #bounds: Bounds;
  readonly #machine: DeliveryMachine<HeldDelivery>;
  readonly #settlements: Settlements;
  readonly #recipients: FreshRecipients;
  readonly #reports: CircuitReports;
  readonly #stopping = new AbortController();
  readonly #dueTimer: DueTimer;
  readonly #leaseMs: number;
  readonly #written = new OncePerTurn<Written>((all) => this.#handOver(all));
  #pollTimer: NodeJS.Timeout | undefined;
  #whenQuiet = () => {};

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#bounds = parts.bounds;
    this.#machine = new DeliveryMachine(this.#bounds);
    this.#leaseMs = leaseMsFor(parts.config.webhook, this.#bounds.maxAheadMs);
    this.#settlements = new Settlements(
      (appId, settlements) => recordOutcomes(parts.storage, appId, settlements),
      this.#bounds.perApp,
    );
    this.#recipients = new FreshRecipients(parts.storage.db);
    this.#reports = new CircuitReports(parts, (appId, passes, reportedAt) =>
      this.#note((machine) => machine.reported(appId, passes, reportedAt)),
    );
    this.#dueTimer = new DueTimer(parts.dueClock, () => this.#note((machine, at) => machine.timerEnded(at)));
  }

  /** Starts; polls at once for what was due before. */
  start(): void {
    this.#machine.start();
    this.#pollTimer = setInterval(() => void this.pollAll(), POLL_EVERY_MS);
    this.#pollTimer.unref();
    void this.pollAll();
  }

  /** The application may have something due. */
  wake(appId: string): void {
    this.#note((machine, at) => machine.wake(appId, at));
  }

  /** Another dispatcher reports that the application's circuit may be asked again. */
  circuitClosed(appId: string): void {
    this.#note((machine, at) => machine.circuitClosed(appId, at));
  }

  reserve(appId: string): NewClaim | null {
    // A machine that has slept does not know when a lease ends.
    if (this.#parts.dueClock.hasJumped()) return null;
    let isReserved = false;
    this.#note((machine, at) => {
      isReserved = machine.reserve(appId, at);
    });
    if (!isReserved) return null;
    const claim = { leaseEnd: 0, claimedAt: 0, delivery: null, deliveryId: null };
    this.renew(claim);
    return claim;
  }

  renew(claim: NewClaim): void {
    claim.leaseEnd = this.#parts.dueClock.now() + this.#leaseMs;
    claim.claimedAt = performance.now();
  }

  written(appId: string, claim: NewClaim, isCommitted: boolean): void {
    this.#written.add({ appId, claim, isCommitted });
  }

  /** Has what the transactions of one turn have written attempted, after their callers are answered. */
  #handOver(all: readonly Written[]): void {
    for (const [appId, some] of Map.groupBy(all, (one) => one.appId)) {
      const claims = some.flatMap(({ claim, isCommitted }): HeldDelivery[] => {
        const { claimedAt, delivery, deliveryId } = claim;
        if (!isCommitted || delivery === null || deliveryId === null) return [];
        return [
          { appId, delivery: { ...delivery, deliveryId }, claimedAt, recipients: null, probe: null, stage: "waiting" },
        ];
      });
      this.#note((machine, at) => machine.written(appId, some.length, claims, at));
    }
  }

  /** Asks the database which applications have something due, and wakes them. Never rejects. */
  async pollAll(): Promise<void> {
    const { deliveries, config, dueClock, log } = this.#parts;
    try {
      await dueClock.read();
      this.#change((machine, { now }) => machine.reopen(now + config.webhook.circuit.openForMs));
      const apps = await deliveries.listApps();
      this.#change((machine, at) => {
        for (const { appId, dueAt } of apps) machine.schedule(appId, dueAt, at);
        machine.advanceAll(at);
      });
    } catch (error) {
      log.warn({ err: error }, "what is due could not be read; tried again shortly");
    }
  }

  /** Stops claiming, gives attempts in progress some time to finish, and releases the rest. */
  async close(): Promise<void> {
    clearInterval(this.#pollTimer);
    this.#dueTimer.stop();
    this.#machine.close();
    if (!this.#machine.isQuiet) await this.#finish();
    const left = this.#machine.remaining();
    for (const { appId, probe, stage } of left) {
      if (stage === "waiting" && probe !== null) await this.#reports.returnProbe(appId, probe);
    }
    const deliveries = left.map(({ delivery }) => delivery);
    const { storage, log } = this.#parts;
    try {
      if (left.length > 0) await storage.write((tx) => releaseClaims(tx, deliveries));
    } catch (error) {
      log.warn({ err: error }, "claims could not be released; they are claimed again when their leases expire");
    }
  }

  /** Resolves when nothing is in progress; attempts that take too long are interrupted. */
  async #finish(): Promise<void> {
    const finished = new Promise<void>((resolve) => {
      this.#whenQuiet = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FINISH_WITHIN_MS);
    });
    await Promise.race([finished, late]);
    clearTimeout(timer);
    this.#stopping.abort();
    await finished;
  }

  /** Makes a transition and starts the steps that it added. */
  #change<T>(transition: (machine: DeliveryMachine<HeldDelivery>, at: Moment) => T): T {
    const at = { now: this.#parts.dueClock.now(), monotonic: performance.now() };
    const result = transition(this.#machine, at);
    for (const step of this.#machine.takeSteps()) this.#begin(step);
    if (this.#machine.isQuiet) this.#whenQuiet();
    return result;
  }

  /** Makes a transition on behalf of a caller that must not fail because of a bug here. */
  #note(transition: (machine: DeliveryMachine<HeldDelivery>, at: Moment) => void): void {
    try {
      this.#change(transition);
    } catch (error) {
      this.#logBug(error);
    }
  }

  #begin(step: Step<HeldDelivery>): void {
    if (step.step === "attempt") this.#watch(this.#run(step.claim));
    else if (step.step === "poll") this.#watch(this.#poll(step.appId));
    else if (step.step === "release") this.#watch(this.#release(step.appId, step.claims));
    else if (step.step === "announce") this.#parts.announce(step.appId);
    else this.#dueTimer.endBy(step.at);
  }

  /** Steps handle their failures; what they throw nevertheless is a bug, and must not end the process. */
  #watch(work: Promise<void>): void {
    work.catch((error: unknown) => this.#logBug(error));
  }

  #logBug(error: unknown): void {
    this.#parts.log.error(
      { err: error },
      "a bug in the dispatcher; its deliveries are claimed again when their leases expire",
    );
  }

  /** Claims what is due, as far as the circuit allows. */
  async #poll(appId: string): Promise<void> {
    try {
      await this.#claim(appId);
    } catch (error) {
      this.#parts.log.warn({ err: error, appId }, "deliveries could not be claimed; tried again shortly");
      this.#change((machine, at) => machine.pollFailed(appId, at));
      return;
    }
    this.#change((machine, at) => machine.pollEnded(appId, at));
  }

  async #claim(appId: string): Promise<void> {
    const { deliveries, coordination, dueClock } = this.#parts;
    await dueClock.readAfterJump();
    const askedAt = performance.now();
    const passage = await coordination.circuits.enter(appId, dueClock.now());
    if (passage.pass === "none") {
      // Nothing is written: the deliveries stay due and use no retry; only this process waits.
      this.#change((machine, at) => machine.refused(appId, passage.until, at));
      return;
    }
    const probe = passage.pass === "probe" ? passage.probe : null;
    const now = dueClock.now();
    const limit = this.#change((machine) => machine.admitted(appId, probe !== null, askedAt));
    let claims: HeldDelivery[] = [];
    let next: number | null = null;
    try {
      ({ claims, nextDueAt: next } = await deliveries.claim({ appId, limit, now, probe }));
    } finally {
      if (claims.length === 0 && probe !== null) await this.#reports.returnProbe(appId, probe);
    }
    this.#change((machine, at) => machine.claimed(appId, claims, limit, at));
    if (claims.length === limit) return;
    const dueAt = next !== null && next <= now ? deliveries.leftDue(claims.length, dueClock.now()) : next;
    this.#change((machine, at) => machine.schedule(appId, dueAt, at));
  }

  /** Releases claims without an attempt. Never rejects. */
  async #release(appId: string, claims: readonly HeldDelivery[]): Promise<void> {
    const { storage, log } = this.#parts;
    const deliveries = claims.map(({ delivery }) => delivery);
    try {
      await storage.write((tx) => releaseClaims(tx, deliveries), laneOf(appId));
    } catch (error) {
      log.warn({ err: error, appId }, "claims could not be released; they are claimed again when their leases expire");
    }
    for (const claim of claims) await this.#returnProbe(claim);
    this.#change((machine, at) => machine.released(appId, claims, at));
  }

  /** Attempts a claim and records the outcome. Never rejects. */
  async #run(claim: HeldDelivery): Promise<void> {
    const { appId, delivery } = claim;
    let dueAt: number | null = null;
    try {
      const outcome = await this.#attempt(claim);
      this.#change((machine, at) => machine.attempted(claim, at));
      if (!("endedElsewhere" in outcome)) await this.#settlements.settle(appId, { delivery, outcome });
      dueAt = dueAfter(outcome);
      if ("toSocket" in outcome) this.#parts.passedOn?.(appId);
    } catch (error) {
      if (claim.stage === "attempting") await this.#returnProbe(claim);
      if (this.#stopping.signal.aborted) {
        this.#change((machine, at) => machine.interrupted(claim, at));
        return;
      }
      const { eventId } = delivery;
      const message = "a delivery could not be completed; it is claimed again when its lease expires";
      this.#parts.log.warn({ err: error, eventId }, message);
      this.#change((machine, at) => machine.failed(claim, at));
      return;
    } finally {
      this.#parts.settled?.(delivery);
    }
    this.#change((machine, at) => machine.recorded(claim, dueAt, at));
  }

  async #attempt(claim: HeldDelivery): Promise<Outcome> {
    const { deliver } = this.#parts;
    const recipients = () => this.#recipients.of(claim);
    const outcome = await deliver(claim.appId, claim.delivery, recipients, this.#stopping.signal);
    if ("result" in outcome) {
      const judgement = await this.#reports.judge(claim, outcome);
      this.#change((machine, at) => machine.judged(claim, judgement, at));
    } else {
      await this.#returnProbe(claim);
    }
    return outcome;
  }

  /** Returns the probe of a claim that had no result, if it was one. */
  async #returnProbe({ appId, probe }: HeldDelivery): Promise<void> {
    if (probe === null) return;
    await this.#reports.returnProbe(appId, probe);
    this.#change((machine) => machine.probeReturned(appId));
  }
}

/** The end of a transaction for which room was reserved. */
interface Written {
  appId: string;
  claim: NewClaim;
  isCommitted: boolean;
}

/** When the delivery is due again, in epoch milliseconds; null when it is not. */
function dueAfter(outcome: Outcome): number | null {
  if ("result" in outcome) return outcome.verdict.dueAt;
  return "postponedTo" in outcome ? outcome.postponedTo : null;
}
