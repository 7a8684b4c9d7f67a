import { invariant } from "../../../platform/errors/invariant.ts";
import { AppDeliveries, type Claim } from "./app-deliveries.ts";
import { type Bounds, roomFor, slotsFor } from "./bounds.ts";
import type { Moment, Step } from "./steps.ts";

/**
 * Allocates attempts and claims to applications, within the limits per application and in total. It is the part of
 * {@link DeliveryMachine} that knows all applications; delivery-machine.ts explains the states.
 */
export class Allocator<C extends Claim> {
  /** All claims held, in any stage. */
  readonly inHand = new Set<C>();
  readonly #bounds: Bounds;
  readonly #apps = new Map<string, AppDeliveries<C>>();
  /** Applications whose claims wait for a free slot, longest wait first. */
  readonly #awaitSlots = new Set<string>();
  /** Applications that may claim only once others hold fewer claims, longest wait first. */
  readonly #awaitClaims = new Set<string>();
  /** Applications that have their share, and may claim more once claims are not scarce, longest wait first. */
  readonly #awaitPlenty = new Set<string>();
  #steps: Step<C>[] = [];
  /** Claims reserved for polls in progress. */
  #reserved = 0;
  #attempting = 0;
  /** The number of polls, attempts (until recorded) and releases in progress. */
  #underWay = 0;
  /** Whether polls and attempts may start. */
  isOpen = false;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get isQuiet(): boolean {
    return this.#underWay === 0;
  }

  get apps(): Iterable<AppDeliveries<C>> {
    return this.#apps.values();
  }

  find(appId: string): AppDeliveries<C> | undefined {
    return this.#apps.get(appId);
  }

  /** The state of an application; created if there is none. */
  appOf(appId: string): AppDeliveries<C> {
    const known = this.#apps.get(appId);
    if (known !== undefined) return known;
    const fresh = new AppDeliveries<C>(appId, this.#bounds.perApp);
    this.#apps.set(appId, fresh);
    return fresh;
  }

  /** The state of an application that has something in progress. */
  known(appId: string): AppDeliveries<C> {
    const app = this.#apps.get(appId);
    invariant(app !== undefined, "an application with something in progress is not forgotten");
    return app;
  }

  addStep(step: Step<C>): void {
    this.#steps.push(step);
  }

  takeSteps(): readonly Step<C>[] {
    if (this.#steps.length === 0) return NO_STEPS;
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }

  /** Starts whatever the application may start now: attempts of waiting claims, and a poll for more. */
  advance(app: AppDeliveries<C>, at: Moment): void {
    this.launch(app, at);
    this.tryPoll(app, at);
    this.forget(app, at);
  }

  /** Advances some waiting applications; one that still has to wait moves to the end of its queue. */
  advanceWaiting(at: Moment): void {
    const { maxAttempting, maxShared, wokenAtOnce } = this.#bounds;
    const isScarce = this.inHand.size + this.#reserved >= maxAttempting;
    for (const waiting of [this.#awaitSlots, this.#awaitClaims, ...(isScarce ? [] : [this.#awaitPlenty])]) {
      let left = Math.min(waiting.size, wokenAtOnce);
      for (const appId of waiting) {
        if (left-- === 0 || this.#attempting >= maxAttempting + maxShared) break;
        waiting.delete(appId);
        const app = this.#apps.get(appId);
        if (app !== undefined) this.advance(app, at);
      }
    }
  }

  /** Starts the next poll if something may be due and there is room for claims. */
  tryPoll(app: AppDeliveries<C>, at: Moment): void {
    if (app.isPolling || !app.more) return;
    const room = this.#roomFor(app, at);
    if (room <= 0) return;
    // Reserved at once, because other applications poll concurrently.
    app.beginPoll(room);
    this.#reserved += room;
    this.#underWay++;
    invariant(this.inHand.size + this.#reserved <= this.#bounds.maxClaims, "the claims held do not exceed their limit");
    this.#steps.push({ step: "poll", appId: app.appId, room });
  }

  /**
   * Reserves room for a claim that a transaction is about to write. False when there is none, when other applications
   * wait, when something of this one may be due that is not claimed, which comes first, or when the circuit has not been
   * found closed just now.
   */
  reserve(app: AppDeliveries<C>, at: Moment): boolean {
    const isContended = this.#awaitSlots.size + this.#awaitClaims.size > 0;
    if (!this.isOpen || isContended || app.more || !this.#isKnownClosed(app, at)) return false;
    const claims = this.inHand.size + this.#reserved;
    const room = roomFor(app, { attempting: this.#attempting, claims, isContended }, this.#bounds);
    if (typeof room !== "number" || room <= app.polledRoom) return false;
    app.reserve();
    this.#reserved++;
    this.#underWay++;
    return true;
  }

  /** The transaction of a {@link reserve} has ended, with a claim or without. */
  endReservation(app: AppDeliveries<C>): void {
    app.endReservation();
    this.#reserved--;
    this.#underWay--;
    invariant(this.#reserved >= 0 && this.#underWay >= 0, "no more transactions end than began");
  }

  /** Releases claims that transactions have brought too late, or after the circuit was found to be not closed. */
  refuse(app: AppDeliveries<C>, claims: readonly C[]): void {
    if (claims.length === 0) return;
    for (const claim of claims) app.refuse(claim);
    this.#underWay++;
    this.#steps.push({ step: "release", appId: app.appId, claims });
  }

  /** Frees the poll's reservation. */
  endPoll(app: AppDeliveries<C>): void {
    this.#reserved -= app.endPoll();
    this.#underWay--;
    invariant(this.#reserved >= 0 && this.#underWay >= 0, "no more polls end than began");
  }

  /** Starts attempts of waiting claims, as far as the limits allow. */
  launch(app: AppDeliveries<C>, at: Moment): void {
    const { first } = app;
    if (first === undefined || !this.isOpen) return;
    const { perApp, maxAheadMs, maxAttempting, maxShared } = this.#bounds;
    if (at.monotonic - first.claimedAt > maxAheadMs) {
      this.release(app);
      return;
    }
    while (app.waiting > 0 && app.attempting < perApp) {
      if (slotsFor(app.attempting, this.#attempting, this.#bounds) === 0) {
        this.#awaitSlots.add(app.appId);
        return;
      }
      this.#attempting++;
      this.#underWay++;
      invariant(this.#attempting <= maxAttempting + maxShared, "all attempts together keep to their bound");
      this.#steps.push({ step: "attempt", claim: app.attempt() });
    }
  }

  /** The attempt of a claim has ended; its outcome is being recorded. */
  endAttempt(claim: C): void {
    this.known(claim.appId).record(claim);
    this.#attempting--;
  }

  /** Ends a claim that was attempted. */
  end(claim: C, last: "ended" | "interrupted"): void {
    if (claim.stage === "attempting") this.#attempting--;
    this.known(claim.appId).end(claim, last);
    if (last === "ended") this.inHand.delete(claim);
    this.#underWay--;
  }

  /** Releases all waiting claims: the circuit has opened, or they have waited too long. */
  release(app: AppDeliveries<C>): void {
    const claims = app.release();
    if (claims.length === 0) return;
    this.#underWay++;
    this.#steps.push({ step: "release", appId: app.appId, claims });
  }

  /** The claims of a {@link release} are no longer held. */
  endRelease(app: AppDeliveries<C>, claims: readonly C[]): void {
    for (const claim of claims) {
      app.end(claim, "ended");
      this.inHand.delete(claim);
    }
    this.#underWay--;
  }

  /** Removes the state of an application that is idle and has been for a while. */
  forget(app: AppDeliveries<C>, at: Moment): void {
    if (app.isIdle && !this.#isKnownClosed(app, at)) this.#apps.delete(app.appId);
  }

  #isKnownClosed(app: AppDeliveries<C>, at: Moment): boolean {
    return at.monotonic - app.closedAt <= this.#bounds.knownClosedMs;
  }

  /** How many deliveries to claim now. If other applications use up the limits, the application is queued. */
  #roomFor(app: AppDeliveries<C>, at: Moment): number {
    const { circuit } = app;
    if (!this.isOpen || app.openUntil > at.now) return 0;
    if (circuit.mode === "half-open" && circuit.probe !== null) return 0;
    const claims = this.inHand.size + this.#reserved;
    const isContended = this.#awaitSlots.size + this.#awaitClaims.size > 0;
    const room = roomFor(app, { attempting: this.#attempting, claims, isContended }, this.#bounds);
    if (typeof room === "number") return room;
    (room === "wait" ? this.#awaitClaims : this.#awaitPlenty).add(app.appId);
    return 0;
  }
}

const NO_STEPS: readonly never[] = [];
