import { invariant } from "../../../platform/errors/invariant.ts";
import { Allocator } from "./allocator.ts";
import type { Claim, Judgement } from "./app-deliveries.ts";
import type { Bounds } from "./bounds.ts";
import type { Moment, Step } from "./steps.ts";

/**
 * The dispatcher as a state machine: which application claims, attempts and releases what, and when. It does no I/O and
 * reads no clock. Its driver (dispatcher.ts) calls a transition for each event, then carries out the steps that the
 * transition has added, and reports the result of each step by another transition. The state is changed only by
 * transitions, which assert their preconditions.
 *
 * **The machine** is
 * - `stopped`: hints are ignored; `start` changes it to
 * - `running`: it polls, attempts and releases; `close` changes it to
 * - `closing`: no poll, attempt or timer starts any more. What is in progress ends; once `isQuiet` is true, every claim
 *   still held is in stage `waiting` or `interrupted`, and the driver releases it.
 *
 * **A poll** claims due deliveries of one application; an application has one at a time. `room` claims are reserved for it
 * (step `poll`), the circuit is asked (`refused` or `admitted`), due deliveries are claimed (`claimed`), and it ends
 * (`pollEnded`, `pollFailed`). While `more` is set and there is room, the next poll follows.
 *
 * **A reservation** is room for a claim that a transaction of this process writes together with the delivery (`reserve`), so
 * that no poll is needed; there is none while something else of the application may be due. When the transaction has
 * ended (`written`), its claim waits behind the others; it is released instead if the circuit is no longer closed, or the
 * transaction has taken too long.
 *
 * **A claim** passes through these stages, each at most once:
 * - `waiting`: claimed, in the order of the polls; the claims of an application are attempted in this order;
 * - `attempting`: the HTTP request is in progress (step `attempt`);
 * - `recording`: the outcome is being written, while the next attempt already runs (`attempted`);
 * - `releasing`: it is released without an attempt (step `release`), because the circuit opened or it waited too long;
 * - `interrupted`: the shutdown interrupted its attempt, and the close releases it (`interrupted`);
 * - `ended`: recorded, released, or abandoned until its lease expires (`recorded`, `released`, `failed`).
 *
 * **The circuit of an application**, as far as this process knows; each poll asks for it again:
 * - `closed`: everything passes. The pace (the most claims held) grows by one with each success, up to `perApp`;
 * - `open`: nothing is claimed before `until`. What is due stays due, and uses no retry;
 * - `half-open`: one claim is the circuit's probe, and while it is held nothing else is claimed. Its success closes the
 *   circuit; after anything else the next poll asks the circuit again, with a pace of one.
 *
 * **Fairness.** An application that finds no free slot for an attempt waits in `awaitSlots`; one that may not claim
 * because others hold too many claims waits in `awaitClaims`; one that has its share while claims are scarce waits in
 * `awaitPlenty` until they are not. Whenever something ends, those that have waited longest are
 * advanced first; one that still finds no room goes to the end of its queue (allocator.ts). The limits are in bounds.ts.
 */
export class DeliveryMachine<C extends Claim> {
  readonly #bounds: Bounds;
  readonly #all: Allocator<C>;
  #mode: "stopped" | "running" | "closing" = "stopped";

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#all = new Allocator(bounds);
  }

  /** Whether nothing is in progress. */
  get isQuiet(): boolean {
    return this.#all.isQuiet;
  }

  /** Removes and returns the steps that transitions have added, to be carried out in this order. */
  takeSteps(): readonly Step<C>[] {
    return this.#all.takeSteps();
  }

  start(): void {
    invariant(this.#mode === "stopped", "a dispatcher starts once");
    this.#mode = "running";
    this.#all.isOpen = true;
  }

  close(): void {
    this.#mode = "closing";
    this.#all.isOpen = false;
  }

  /** The claims still held once a closing machine is quiet; the driver must release them. */
  remaining(): C[] {
    invariant(this.#mode === "closing" && this.isQuiet, "the remaining claims are read once nothing is in progress");
    const claims = [...this.#all.inHand];
    invariant(
      claims.every(({ stage }) => stage === "waiting" || stage === "interrupted"),
      "what is left over is neither attempted nor recorded",
    );
    return claims;
  }

  /** The application may have something due. */
  wake(appId: string, at: Moment): void {
    if (this.#mode !== "running") return;
    const app = this.#all.appOf(appId);
    app.more = true;
    this.#all.advance(app, at);
  }

  /** The application has something due at `dueAt`, if that is known. The timer is armed for it. */
  schedule(appId: string, dueAt: number | null, at: Moment): void {
    if (this.#mode !== "running" || dueAt === null) return;
    const app = this.#all.appOf(appId);
    const time = Math.max(dueAt, app.openUntil);
    if (time <= at.now) {
      this.wake(appId, at);
      return;
    }
    // The poll at the earlier of two times finds the other.
    if (app.dueAt === null || app.dueAt > time) app.dueAt = time;
    this.#all.addStep({ step: "timer", at: app.dueAt });
  }

  /** The timer has ended: wakes due applications, and arms the timer for the next one. */
  timerEnded(at: Moment): void {
    let next = Number.POSITIVE_INFINITY;
    for (const app of this.#all.apps) {
      if (app.dueAt !== null && app.dueAt <= at.now) {
        app.dueAt = app.openUntil > at.now ? app.openUntil : null;
        if (app.dueAt === null) this.wake(app.appId, at);
      }
      if (app.dueAt !== null) next = Math.min(next, app.dueAt);
    }
    if (next < Number.POSITIVE_INFINITY && this.#mode === "running") this.#all.addStep({ step: "timer", at: next });
  }

  /** Polls applications whose circuit is open until after `latest`, which is possible only if the clock was set back. */
  reopen(latest: number): void {
    for (const app of this.#all.apps) if (app.openUntil > latest) app.close();
  }

  /** Advances all applications with waiting claims, so that those which wait too long are always found, and forgets idle ones. */
  advanceAll(at: Moment): void {
    for (const app of this.#all.apps) {
      if (app.waiting > 0) this.#all.advance(app, at);
      else this.#all.forget(app, at);
    }
  }

  /** Reserves room for a claim of a transaction that begins; false: it must not claim. Followed by {@link written}. */
  reserve(appId: string, at: Moment): boolean {
    const app = this.#mode === "running" ? this.#all.find(appId) : undefined;
    return app !== undefined && this.#all.reserve(app, at);
  }

  /** The transactions of as many reservations have ended, and have brought these claims, which may be fewer. */
  written(appId: string, reservations: number, claims: readonly C[], at: Moment): void {
    invariant(claims.length <= reservations, "a transaction brings no more claims than it reserved");
    const app = this.#all.known(appId);
    for (let ended = 0; ended < reservations; ended++) this.#all.endReservation(app);
    for (const claim of claims) this.#all.inHand.add(claim);
    const isTimely = ({ claimedAt }: C) => at.monotonic - claimedAt <= this.#bounds.maxAheadMs;
    const isOpen = this.#mode === "running" && app.circuit.mode !== "closed";
    const [kept, refused] = isOpen
      ? [[], claims]
      : [claims.filter(isTimely), claims.filter((claim) => !isTimely(claim))];
    this.#all.refuse(app, refused);
    for (const claim of kept) app.push(claim);
    this.#all.advance(app, at);
    this.#all.advanceWaiting(at);
  }

  /** Another process reports that the circuit is closed again. */
  circuitClosed(appId: string, at: Moment): void {
    const app = this.#all.find(appId);
    if (app === undefined) return;
    app.close();
    this.wake(appId, at);
  }

  /** The circuit refuses the poll until then. */
  refused(appId: string, until: number, at: Moment): void {
    this.#all.known(appId).open(until);
    this.schedule(appId, until, at);
  }

  /**
   * The circuit admits the poll.
   *
   * @param askedAt when it was asked, on the monotonic clock.
   * @returns how many deliveries may be claimed.
   */
  admitted(appId: string, isProbe: boolean, askedAt: number): number {
    return this.#all.known(appId).admit(isProbe, askedAt);
  }

  /** The poll has claimed these, the oldest first; `limit` is what {@link admitted} allowed. */
  claimed(appId: string, claims: readonly C[], limit: number, at: Moment): void {
    invariant(claims.length <= limit, "a poll brings no more claims than it was allowed");
    const app = this.#all.known(appId);
    for (const claim of claims) {
      this.#all.inHand.add(claim);
      app.push(claim);
    }
    // Nothing else passes during a probe, so there is no point in polling for more.
    if (claims.length === limit && claims[0]?.probe === null) app.more = true;
    this.#all.launch(app, at);
  }

  /** The poll has ended; another follows if more may be due and there is room. */
  pollEnded(appId: string, at: Moment): void {
    const app = this.#all.known(appId);
    this.#all.endPoll(app);
    this.#all.tryPoll(app, at);
    // The others could not use what was reserved for this poll.
    this.#all.advanceWaiting(at);
    this.#all.forget(app, at);
  }

  /** The poll has failed: the application is polled again after a pause. */
  pollFailed(appId: string, at: Moment): void {
    this.#all.known(appId).more = false;
    this.schedule(appId, at.now + this.#bounds.pauseAfterErrorMs, at);
    this.pollEnded(appId, at);
  }

  /** The result of an attempt for the circuit; called before {@link attempted}. */
  judged(claim: C, judgement: Judgement, at: Moment): void {
    const app = this.#all.known(claim.appId);
    app.judge(claim, judgement, at.monotonic);
    if (judgement.passes === false) this.#all.release(app);
    else if (judgement.passes && claim.probe !== null) this.#all.addStep({ step: "announce", appId: claim.appId });
  }

  /**
   * The circuit's answer to a result of the application that was judged before it came.
   *
   * @param reportedAt when the result was reported, on the monotonic clock.
   */
  reported(appId: string, passes: boolean, reportedAt: number): void {
    const app = this.#mode === "running" ? this.#all.find(appId) : undefined;
    app?.found(passes, reportedAt);
    if (app !== undefined && !passes) this.#all.release(app);
  }

  /** A probe was returned to the circuit; the next delivery is one, in this or another process. */
  probeReturned(appId: string): void {
    this.#all.known(appId).returnProbe();
    this.#all.addStep({ step: "announce", appId });
  }

  /** The attempt has ended: its slot goes to the longest waiting application, and the outcome is being recorded. */
  attempted(claim: C, at: Moment): void {
    this.#all.endAttempt(claim);
    this.#goOn(claim.appId, at);
  }

  /** The outcome is on disk; `dueAt` is when the delivery is due again, null if it is not. */
  recorded(claim: C, dueAt: number | null, at: Moment): void {
    this.schedule(claim.appId, dueAt, at);
    this.#all.end(claim, "ended");
    this.#goOn(claim.appId, at);
  }

  /** The attempt or its recording has failed within this service; the lease expires. */
  failed(claim: C, at: Moment): void {
    this.#all.end(claim, "ended");
    this.#goOn(claim.appId, at);
  }

  /** The shutdown interrupted the attempt or its recording. */
  interrupted(claim: C, at: Moment): void {
    this.#all.end(claim, "interrupted");
    this.#goOn(claim.appId, at);
  }

  /** Claims were released, or are abandoned until their leases expire. */
  released(appId: string, claims: readonly C[], at: Moment): void {
    const app = this.#all.known(appId);
    this.#all.endRelease(app, claims);
    this.#all.advanceWaiting(at);
    this.wake(appId, at);
    this.#all.forget(app, at);
  }

  /** Something of the application has ended: advances the longest waiting applications, then this one. */
  #goOn(appId: string, at: Moment): void {
    this.#all.advanceWaiting(at);
    const app = this.#all.find(appId);
    if (app !== undefined) this.#all.advance(app, at);
  }
}
