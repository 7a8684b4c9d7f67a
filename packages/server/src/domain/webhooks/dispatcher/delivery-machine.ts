import { invariant } from "../../../platform/errors/invariant.ts";
import { Allotment } from "./allotment.ts";
import type { Claim, Judgement } from "./app-deliveries.ts";
import type { Bounds } from "./bounds.ts";
import type { Moment, Step } from "./steps.ts";

/**
 * The dispatcher as a state machine: which application claims, attempts and gives back what, and when. It does no I/O and
 * reads no clock. Whoever drives it (dispatcher.ts) calls a transition for each thing that has happened, then carries out
 * the steps that the transition has added, and reports what came of each step by another transition. Each state is changed
 * only by transitions, which assert what they take for granted.
 *
 * **The machine** is
 * - `stopped`: hints are ignored; `start` makes it
 * - `running`: it looks, attempts and gives back; `close` makes it
 * - `closing`: no look, no attempt and no timer begins any more. What is under way ends; once `isQuiet` holds, every claim
 *   still in hand is in stage `waiting` or `left`, and the driver gives it back.
 *
 * **A look** is one question to the database, of one application at a time: it is reserved room for `room` claims
 * (step `look`), the circuit is asked (`refused`, or `admitted`), due deliveries are claimed (`claimed`), and it ends
 * (`lookEnded`, `lookFailed`). While `more` is set and there is room, the next look follows.
 *
 * **A claim** goes through these stages, each once and never back:
 * - `waiting`: claimed, in the order of the looks; the claims of an application are attempted in this order;
 * - `attempting`: the HTTP request is under way (step `attempt`);
 * - `recording`: the outcome is being written, while the next claim is attempted already (`attempted`);
 * - `returning`: it is given back unused (step `give-back`), because the circuit opened or its turn did not come in time;
 * - `left`: the stop has broken it off, and the close gives it back (`brokenOff`);
 * - `ended`: recorded, given back, or given up until its lease ends (`recorded`, `returned`, `failed`).
 *
 * **The circuit of an application**, as far as this process knows; each look asks for it again:
 * - `closed`: everything passes. The pace, the number of claims in hand, grows by one with each success up to `perApp`;
 * - `open`: nothing is claimed before `until`. What is due stays due, and uses no retry;
 * - `half-open`: one claim is the circuit's probe, and while it is in hand nothing else is claimed. Its success closes the
 *   circuit; after anything else the next look asks the circuit again, with a pace of one.
 *
 * **Fairness.** An application that finds no place for an attempt waits in `wantPlaces`, one that may not claim because
 * others hold too much waits in `wantClaims`. Whenever something ends, those that have waited longest are attended to first;
 * one that still finds no room goes to the end of its queue (allotment.ts). The bounds are in bounds.ts.
 */
export class DeliveryMachine<C extends Claim> {
  readonly #bounds: Bounds;
  readonly #all: Allotment<C>;
  #mode: "stopped" | "running" | "closing" = "stopped";

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#all = new Allotment(bounds);
  }

  /** Whether nothing is under way. */
  get isQuiet(): boolean {
    return this.#all.isQuiet;
  }

  /** The steps that transitions have added since the last time, to be carried out in this order. */
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

  /** The claims that are still in hand once a closing machine is quiet: to be given back. */
  leftOver(): C[] {
    invariant(this.#mode === "closing" && this.isQuiet, "claims are left over once nothing is under way");
    const claims = [...this.#all.inHand];
    invariant(
      claims.every(({ stage }) => stage === "waiting" || stage === "left"),
      "what is left over is neither attempted nor recorded",
    );
    return claims;
  }

  /** The application may have something due. */
  wake(appId: string, at: Moment): void {
    if (this.#mode !== "running") return;
    const app = this.#all.appOf(appId);
    app.more = true;
    this.#all.attend(app, at);
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
    // The look at the nearer of two times finds the other.
    if (app.dueAt === null || app.dueAt > time) app.dueAt = time;
    this.#all.addStep({ step: "timer", at: app.dueAt });
  }

  /** The timer has ended: wakes what is due, and arms the timer for the nearest of the rest. */
  timeCame(at: Moment): void {
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

  /** Looks again at circuits that are open for longer than any is, since the clock was set back: until after `latest`. */
  reopen(latest: number): void {
    for (const app of this.#all.apps) if (app.openUntil > latest) app.close();
  }

  /** Attends to all applications with claims that wait, so that claims which wait too long are found whatever happens. */
  attendAll(at: Moment): void {
    for (const app of this.#all.apps) if (app.waiting > 0) this.#all.attend(app, at);
  }

  /** The circuit lets everything through again, as another process says. */
  circuitClosed(appId: string, at: Moment): void {
    const app = this.#all.find(appId);
    if (app === undefined) return;
    app.close();
    this.wake(appId, at);
  }

  /** The circuit lets nothing through the look until then. */
  refused(appId: string, until: number, at: Moment): void {
    this.#all.known(appId).open(until);
    this.schedule(appId, until, at);
  }

  /** The circuit lets the look pass. @returns how many may be claimed. */
  admitted(appId: string, isProbe: boolean): number {
    return this.#all.known(appId).admit(isProbe);
  }

  /** The look has claimed these, the oldest first; `limit` is what {@link admitted} allowed. */
  claimed(appId: string, claims: readonly C[], limit: number, at: Moment): void {
    invariant(claims.length <= limit, "a look brings no more claims than it was allowed");
    const app = this.#all.known(appId);
    for (const claim of claims) {
      this.#all.inHand.add(claim);
      app.push(claim);
    }
    // Beside a probe nothing passes, so there is no point in looking for more.
    if (claims.length === limit && claims[0]?.probe === null) app.more = true;
    this.#all.launch(app, at);
  }

  /** The look is over; another follows if there may be more and there is room. */
  lookEnded(appId: string, at: Moment): void {
    const app = this.#all.known(appId);
    this.#all.endLook(app);
    this.#all.tryLook(app, at);
    // The others were refused what was reserved for this one.
    this.#all.attendWaiting(at);
    this.#all.forget(app);
  }

  /** The look has failed: the application is left alone for a while. */
  lookFailed(appId: string, at: Moment): void {
    this.#all.known(appId).more = false;
    this.schedule(appId, at.now + this.#bounds.pauseAfterErrorMs, at);
    this.lookEnded(appId, at);
  }

  /** An attempt says this of the application's receiver; comes before {@link attempted}. */
  judged(claim: C, judgement: Judgement): void {
    const app = this.#all.known(claim.appId);
    app.judge(claim, judgement);
    if (judgement.passes === false) this.#all.giveBack(app);
    else if (judgement.passes && claim.probe !== null) this.#all.addStep({ step: "announce", appId: claim.appId });
  }

  /** A probe was given back to the circuit; the next delivery is one, here or at another process. */
  probeReturned(appId: string): void {
    this.#all.known(appId).returnProbe();
    this.#all.addStep({ step: "announce", appId });
  }

  /** The attempt is over: its place goes to whoever waits for one first, and the outcome is being recorded. */
  attempted(claim: C, at: Moment): void {
    this.#all.endAttempt(claim);
    this.#goOn(claim.appId, at);
  }

  /** The outcome is on disk; `dueAt` says when the delivery is due again, if it is. */
  recorded(claim: C, dueAt: number | null, at: Moment): void {
    this.schedule(claim.appId, dueAt, at);
    this.#all.end(claim, "ended");
    this.#goOn(claim.appId, at);
  }

  /** The attempt, or its recording, has failed for a reason of this service's: the lease ends by itself. */
  failed(claim: C, at: Moment): void {
    this.#all.end(claim, "ended");
    this.#goOn(claim.appId, at);
  }

  /** The stop has ended the attempt, or kept it from being recorded. */
  brokenOff(claim: C, at: Moment): void {
    this.#all.end(claim, "left");
    this.#goOn(claim.appId, at);
  }

  /** Claims were given back, or are given up until their leases end. */
  returned(appId: string, claims: readonly C[], at: Moment): void {
    const app = this.#all.known(appId);
    this.#all.endGiveBack(app, claims);
    this.#all.attendWaiting(at);
    this.wake(appId, at);
    this.#all.forget(app);
  }

  /** Something of the application has ended: whoever waits longest comes first, then the application itself. */
  #goOn(appId: string, at: Moment): void {
    this.#all.attendWaiting(at);
    const app = this.#all.find(appId);
    if (app !== undefined) this.#all.attend(app, at);
  }
}
