import { invariant } from "../../../platform/errors/invariant.ts";
import { AppDeliveries, type Claim } from "./app-deliveries.ts";
import { type Bounds, placesFor, roomFor } from "./bounds.ts";
import type { Moment, Step } from "./steps.ts";

/**
 * Allots attempts and claims to applications, within the bounds of each and of all together. It is the part of
 * {@link DeliveryMachine} that looks at all applications; delivery-machine.ts explains the states.
 */
export class Allotment<C extends Claim> {
  /** Claims in hand, in whatever stage. */
  readonly inHand = new Set<C>();
  readonly #bounds: Bounds;
  readonly #apps = new Map<string, AppDeliveries<C>>();
  /** Applications with claims that wait for a place; the one that has waited longest comes first. */
  readonly #wantPlaces = new Set<string>();
  /** Applications that may claim only when others have fewer claims, in the same order. */
  readonly #wantClaims = new Set<string>();
  #steps: Step<C>[] = [];
  /** Claims that looks under way may still bring. */
  #reserved = 0;
  #attempting = 0;
  /** Looks, attempts with their recording, and returns. */
  #underWay = 0;
  /** Whether looks and attempts may begin. */
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

  /** The application, which is new here when nothing is known of it. */
  appOf(appId: string): AppDeliveries<C> {
    const known = this.#apps.get(appId);
    if (known !== undefined) return known;
    const fresh = new AppDeliveries<C>(appId, this.#bounds.perApp);
    this.#apps.set(appId, fresh);
    return fresh;
  }

  /** The application of something under way. */
  known(appId: string): AppDeliveries<C> {
    const app = this.#apps.get(appId);
    invariant(app !== undefined, "an application with something under way is not forgotten");
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

  /** Does what can be done for the application now: attempts what waits, and claims more. */
  attend(app: AppDeliveries<C>, at: Moment): void {
    this.launch(app, at);
    this.tryLook(app, at);
    this.forget(app);
  }

  /** Attends to some of the applications that wait; one that still has to wait comes last from then on. */
  attendWaiting(at: Moment): void {
    const { maxAttempting, maxShared, wokenAtOnce } = this.#bounds;
    for (const waiting of [this.#wantPlaces, this.#wantClaims]) {
      let left = Math.min(waiting.size, wokenAtOnce);
      for (const appId of waiting) {
        if (left-- === 0 || this.#attempting >= maxAttempting + maxShared) break;
        waiting.delete(appId);
        const app = this.#apps.get(appId);
        if (app !== undefined) this.attend(app, at);
      }
    }
  }

  /** Has the next look begin, if there may be something due and there is room for it. */
  tryLook(app: AppDeliveries<C>, at: Moment): void {
    if (app.isLooking || !app.more) return;
    const room = this.#roomFor(app, at);
    if (room <= 0) return;
    // Reserved at once: other applications look at the same time.
    app.beginLook(room);
    this.#reserved += room;
    this.#underWay++;
    invariant(this.inHand.size + this.#reserved <= this.#bounds.maxClaims, "claims in hand keep to their bound");
    this.#steps.push({ step: "look", appId: app.appId, room });
  }

  /** Gives up what the look was reserved and did not bring. */
  endLook(app: AppDeliveries<C>): void {
    this.#reserved -= app.endLook();
    this.#underWay--;
    invariant(this.#reserved >= 0 && this.#underWay >= 0, "no more looks end than began");
  }

  /** Has claims attempted that wait, as far as the bounds allow. */
  launch(app: AppDeliveries<C>, at: Moment): void {
    const { first } = app;
    if (first === undefined || !this.isOpen) return;
    const { perApp, maxAheadMs, maxAttempting, maxShared } = this.#bounds;
    if (at.monotonic - first.claimedAt > maxAheadMs) {
      this.giveBack(app);
      return;
    }
    while (app.waiting > 0 && app.attempting < perApp) {
      if (placesFor(app.attempting, this.#attempting, this.#bounds) === 0) {
        this.#wantPlaces.add(app.appId);
        return;
      }
      this.#attempting++;
      this.#underWay++;
      invariant(this.#attempting <= maxAttempting + maxShared, "all attempts together keep to their bound");
      this.#steps.push({ step: "attempt", claim: app.attempt() });
    }
  }

  /** The attempt of a claim is over, and its outcome is being recorded. */
  endAttempt(claim: C): void {
    this.known(claim.appId).record(claim);
    this.#attempting--;
  }

  /** The last of a claim that was attempted. */
  end(claim: C, last: "ended" | "left"): void {
    if (claim.stage === "attempting") this.#attempting--;
    this.known(claim.appId).end(claim, last);
    if (last === "ended") this.inHand.delete(claim);
    this.#underWay--;
  }

  /** Gives back what waits: the circuit has opened, or the turn does not come. */
  giveBack(app: AppDeliveries<C>): void {
    const claims = app.giveBack();
    if (claims.length === 0) return;
    this.#underWay++;
    this.#steps.push({ step: "give-back", appId: app.appId, claims });
  }

  /** Claims that {@link giveBack} has named are no longer in hand. */
  endGiveBack(app: AppDeliveries<C>, claims: readonly C[]): void {
    for (const claim of claims) {
      app.end(claim, "ended");
      this.inHand.delete(claim);
    }
    this.#underWay--;
  }

  /** Drops what is known of an application that has nothing to do. */
  forget(app: AppDeliveries<C>): void {
    if (app.isForgettable) this.#apps.delete(app.appId);
  }

  /** How many deliveries to claim now. An application that others leave no room is attended to when there is some. */
  #roomFor(app: AppDeliveries<C>, at: Moment): number {
    const { circuit } = app;
    if (!this.isOpen || app.openUntil > at.now) return 0;
    if (circuit.mode === "half-open" && circuit.probe !== null) return 0;
    const claims = this.inHand.size + this.#reserved;
    const isContended = this.#wantPlaces.size + this.#wantClaims.size > 0;
    const room = roomFor(app, { attempting: this.#attempting, claims, isContended }, this.#bounds);
    if (room !== "wait") return room;
    this.#wantClaims.add(app.appId);
    return 0;
  }
}

const NO_STEPS: readonly never[] = [];
