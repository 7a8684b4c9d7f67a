import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { Coordination } from "../../../platform/coordination/coordination.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { laneOf } from "../delivery-lane.ts";
import { giveBackClaims, listDueApps, nextDueAt, type Outcome } from "../delivery-store.ts";
import { type Bounds, boundsFor } from "./bounds.ts";
import { CircuitReports } from "./circuit-reports.ts";
import type { Deliver } from "./deliver.ts";
import { DeliveryMachine } from "./delivery-machine.ts";
import { DueTimer } from "./due-timer.ts";
import { freshRecipients, type HeldDelivery, leaseMsFor, takeDue } from "./held-delivery.ts";
import { Settlements } from "./settlements.ts";
import type { Moment, Step } from "./steps.ts";

/** Hints may be lost and processes may die; this often the database is asked what is due. */
const LOOK_EVERY_MS = 5_000;
const FINISH_WITHIN_MS = 3_000;
/** On which processes tell each other that an application has something due. */
export const DUE = "due";
/** On which processes tell each other that an application's circuit may be asked again. */
const CLOSED = "circuit-closed";

/** What a dispatcher works with. */
export interface DispatcherParts {
  storage: Storage;
  coordination: Coordination;
  clock: Clock;
  config: Config;
  log: Logger;
  deliver: Deliver;
}

/**
 * Takes deliveries that are due and has them carried out. Wake-ups are hints; the database says what is due, and a lease
 * there keeps others from taking the same.
 *
 * What is done when, and for which application, is for {@link DeliveryMachine} to say. This class carries out its steps
 * and reports what came of them, each in one transition; it decides nothing by itself.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #bounds: Bounds;
  readonly #machine: DeliveryMachine<HeldDelivery>;
  readonly #settlements: Settlements;
  readonly #reports: CircuitReports;
  readonly #stopping = new AbortController();
  readonly #dueTimer: DueTimer;
  #lookTimer: NodeJS.Timeout | undefined;
  #whenQuiet = () => {};

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#bounds = boundsFor(parts.config.webhook.concurrencyPerApp);
    this.#machine = new DeliveryMachine(this.#bounds);
    this.#settlements = new Settlements(parts.storage);
    this.#reports = new CircuitReports(parts);
    this.#dueTimer = new DueTimer(parts.clock, () => this.#note((machine, at) => machine.timeCame(at)));
    parts.coordination.subscribe(DUE, (appId) => this.#note((machine, at) => machine.wake(appId, at)));
    parts.coordination.subscribe(CLOSED, (appId) => this.#note((machine, at) => machine.circuitClosed(appId, at)));
  }

  /** Begins to take what is due. What was due before is looked for at once. */
  start(): void {
    this.#machine.start();
    this.#lookTimer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#lookTimer.unref();
    void this.look();
  }

  /** Tells this process at once, and the others in case it is busy, that the application has something due. */
  due(appId: string): void {
    this.#note((machine, at) => machine.wake(appId, at));
    this.#parts.coordination.publish(DUE, appId);
  }

  /** Asks the database what is due, and sees to it. Never fails. */
  async look(): Promise<void> {
    const { storage, config, log } = this.#parts;
    try {
      this.#change((machine, { now }) => machine.reopen(now + config.webhook.circuit.openForMs));
      const apps = await listDueApps(storage.db);
      this.#change((machine, at) => {
        for (const { appId, dueAt } of apps) machine.schedule(appId, dueAt, at);
        machine.attendAll(at);
      });
    } catch (error) {
      log.warn({ err: error }, "what is due could not be read; tried again shortly");
    }
  }

  /** Takes nothing more, lets what is under way finish for a while, and gives the rest back. */
  async close(): Promise<void> {
    clearInterval(this.#lookTimer);
    this.#dueTimer.stop();
    this.#machine.close();
    if (!this.#machine.isQuiet) await this.#finish();
    const left = this.#machine.leftOver();
    for (const { appId, probe, stage } of left) {
      if (stage === "waiting" && probe !== null) await this.#reports.returnProbe(appId, probe);
    }
    const deliveries = left.map(({ delivery }) => delivery);
    const { storage, log } = this.#parts;
    try {
      if (left.length > 0) await storage.write((tx) => giveBackClaims(tx, deliveries));
    } catch (error) {
      log.warn({ err: error }, "claims could not be given back; taken up again when their leases end");
    }
  }

  /** Resolves when nothing is under way; attempts that take too long are broken off. */
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

  /** Makes a transition, and begins the steps that follow from it. */
  #change<T>(transition: (machine: DeliveryMachine<HeldDelivery>, at: Moment) => T): T {
    const at = { now: this.#parts.clock.now(), monotonic: performance.now() };
    const result = transition(this.#machine, at);
    for (const step of this.#machine.takeSteps()) this.#begin(step);
    if (this.#machine.isQuiet) this.#whenQuiet();
    return result;
  }

  /** Makes a transition on behalf of somebody who has nothing to do with it: a bug found by it is not theirs. */
  #note(transition: (machine: DeliveryMachine<HeldDelivery>, at: Moment) => void): void {
    try {
      this.#change(transition);
    } catch (error) {
      this.#tellBug(error);
    }
  }

  #begin(step: Step<HeldDelivery>): void {
    if (step.step === "attempt") this.#watch(this.#run(step.claim));
    else if (step.step === "look") this.#watch(this.#look(step.appId));
    else if (step.step === "give-back") this.#watch(this.#giveBack(step.appId, step.claims));
    else if (step.step === "announce") this.#parts.coordination.publish(CLOSED, step.appId);
    else this.#dueTimer.endBy(step.at);
  }

  /** Steps handle what can fail; what they throw nevertheless is a bug, and must not end the process. */
  #watch(work: Promise<void>): void {
    work.catch((error: unknown) => this.#tellBug(error));
  }

  #tellBug(error: unknown): void {
    this.#parts.log.error({ err: error }, "the dispatcher has met a bug; its deliveries are taken up when leases end");
  }

  /** Claims what is due, as far as the circuit lets it pass. */
  async #look(appId: string): Promise<void> {
    try {
      await this.#claim(appId);
    } catch (error) {
      this.#parts.log.warn({ err: error, appId }, "deliveries could not be claimed; tried again shortly");
      this.#change((machine, at) => machine.lookFailed(appId, at));
      return;
    }
    this.#change((machine, at) => machine.lookEnded(appId, at));
  }

  async #claim(appId: string): Promise<void> {
    const { storage, coordination, clock, config } = this.#parts;
    const passage = await coordination.circuits.enter(appId, clock.now());
    if (passage.pass === "none") {
      // Nothing is written: what is due stays due, uses no retry, and is held back here.
      this.#change((machine, at) => machine.refused(appId, passage.until, at));
      return;
    }
    const probe = passage.pass === "probe" ? passage.probe : null;
    const now = clock.now();
    const limit = this.#change((machine) => machine.admitted(appId, probe !== null));
    const leaseEnd = now + leaseMsFor(config.webhook, this.#bounds.maxAheadMs);
    let claims: HeldDelivery[] = [];
    try {
      claims = await takeDue(storage, { appId, limit, now, leaseEnd, probe });
    } finally {
      if (claims.length === 0 && probe !== null) await this.#reports.returnProbe(appId, probe);
    }
    this.#change((machine, at) => machine.claimed(appId, claims, limit, at));
    if (claims.length === limit) return;
    const next = await nextDueAt(storage.db, appId);
    // It is due, but another transaction holds its row.
    const isHeld = claims.length === 0 && next !== null && next <= now;
    const dueAt = isHeld ? clock.now() + this.#bounds.heldPauseMs : next;
    this.#change((machine, at) => machine.schedule(appId, dueAt, at));
  }

  /** Gives claims back unused. Never fails. */
  async #giveBack(appId: string, claims: readonly HeldDelivery[]): Promise<void> {
    const { storage, log } = this.#parts;
    const deliveries = claims.map(({ delivery }) => delivery);
    try {
      await storage.write((tx) => giveBackClaims(tx, deliveries), laneOf(appId));
    } catch (error) {
      log.warn({ err: error, appId }, "claims could not be given back; taken up again when their leases end");
    }
    for (const claim of claims) await this.#returnProbe(claim);
    this.#change((machine, at) => machine.returned(appId, claims, at));
  }

  /** Has a claim attempted, and what comes of it recorded. Never fails. */
  async #run(claim: HeldDelivery): Promise<void> {
    const { appId, delivery } = claim;
    let dueAt: number | null = null;
    try {
      const outcome = await this.#attempt(claim);
      this.#change((machine, at) => machine.attempted(claim, at));
      await this.#settlements.settle(appId, { delivery, outcome });
      dueAt = dueAfter(outcome);
    } catch (error) {
      if (claim.stage === "attempting") await this.#returnProbe(claim);
      if (this.#stopping.signal.aborted) {
        this.#change((machine, at) => machine.brokenOff(claim, at));
        return;
      }
      const { eventId } = delivery;
      const message = "a delivery could not be carried through; taken up again when its lease ends";
      this.#parts.log.warn({ err: error, eventId }, message);
      this.#change((machine, at) => machine.failed(claim, at));
      return;
    }
    this.#change((machine, at) => machine.recorded(claim, dueAt, at));
  }

  async #attempt(claim: HeldDelivery): Promise<Outcome> {
    const { storage, deliver } = this.#parts;
    const recipients = () => freshRecipients(storage.db, claim);
    const outcome = await deliver(claim.appId, claim.delivery, recipients, this.#stopping.signal);
    if ("result" in outcome) {
      const judgement = await this.#reports.judge(claim, outcome.result);
      this.#change((machine) => machine.judged(claim, judgement));
    } else {
      await this.#returnProbe(claim);
    }
    return outcome;
  }

  /** Gives back the probe of a claim that said nothing of the receiver, if it was one. */
  async #returnProbe({ appId, probe }: HeldDelivery): Promise<void> {
    if (probe === null) return;
    await this.#reports.returnProbe(appId, probe);
    this.#change((machine) => machine.probeReturned(appId));
  }
}

/** When the delivery is due again, in epoch milliseconds; null when it is over. */
function dueAfter(outcome: Outcome): number | null {
  if ("result" in outcome) return outcome.verdict.dueAt;
  return "postponedTo" in outcome ? outcome.postponedTo : null;
}
