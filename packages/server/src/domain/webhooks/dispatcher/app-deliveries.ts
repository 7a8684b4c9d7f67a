import { invariant } from "../../../platform/errors/invariant.ts";
import type { AppLoad } from "./bounds.ts";

/** A delivery that this process holds. The stages are explained in delivery-machine.ts. */
export interface Claim {
  readonly appId: string;
  /** When it was claimed, on the monotonic clock. */
  readonly claimedAt: number;
  /** The circuit's token when this claim is its probe. */
  readonly probe: string | null;
  stage: ClaimStage;
}

export type ClaimStage = "waiting" | "attempting" | "recording" | "releasing" | "interrupted" | "ended";

/** The last known state of an application's circuit; `probe` is the token of the probe held. See delivery-machine.ts. */
export type CircuitMode =
  | { mode: "closed" }
  | { mode: "open"; until: number }
  | { mode: "half-open"; probe: string | null };

/** What the result of an attempt means for the following ones. */
export interface Judgement {
  success: boolean;
  /** Whether it succeeded so quickly that claims made in advance would not wait long. */
  fast: boolean;
  /** Whether the circuit is closed now; null when that is not known, or not yet. */
  passes: boolean | null;
}

/** The pace after the circuit was open or half-open. */
const FIRST_PACE = 1;

/** One application's deliveries, as this process knows them. Does no I/O; changed only by the methods below. */
export class AppDeliveries<C extends Claim> implements AppLoad {
  readonly appId: string;
  readonly #perApp: number;
  readonly #queue: C[] = [];
  #attempting = 0;
  #recording = 0;
  #reserved = 0;
  #circuit: CircuitMode = { mode: "closed" };
  /** The most claims that the current poll may return; null when there is none. */
  #polling: number | null = null;
  #pace: number;
  #fast = false;
  /** When the circuit was last found closed, on the monotonic clock. */
  #closedAt = Number.NEGATIVE_INFINITY;
  /** Whether there may be due deliveries that are not claimed. */
  more = false;
  /** The next time at which something is known to be due, in epoch milliseconds. */
  dueAt: number | null = null;

  constructor(appId: string, perApp: number) {
    this.appId = appId;
    this.#perApp = perApp;
    this.#pace = perApp;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get attempting(): number {
    return this.#attempting;
  }

  /** Claims being recorded or released. */
  get recording(): number {
    return this.#recording;
  }

  /** Claims that transactions in progress may bring. */
  get reserved(): number {
    return this.#reserved;
  }

  get pace(): number {
    return this.#pace;
  }

  get fast(): boolean {
    return this.#fast;
  }

  get circuit(): CircuitMode {
    return this.#circuit;
  }

  get isPolling(): boolean {
    return this.#polling !== null;
  }

  /** The most claims that the poll in progress may bring. */
  get polledRoom(): number {
    return this.#polling ?? 0;
  }

  /** When the circuit was last found closed, on the monotonic clock; minus infinity while it is not. */
  get closedAt(): number {
    return this.#circuit.mode === "closed" ? this.#closedAt : Number.NEGATIVE_INFINITY;
  }

  /** Whether nothing is held, in progress or scheduled. */
  get isIdle(): boolean {
    const inHand = this.waiting + this.#attempting + this.#recording + this.#reserved;
    return inHand === 0 && this.#polling === null && !this.more && this.dueAt === null;
  }

  /** When the circuit stops being open, in epoch milliseconds; 0 when it is not open. */
  get openUntil(): number {
    return this.#circuit.mode === "open" ? this.#circuit.until : 0;
  }

  /** The claim that has waited longest. */
  get first(): C | undefined {
    return this.#queue[0];
  }

  /** A poll begins that may return up to `room` claims. */
  beginPoll(room: number): void {
    invariant(this.#polling === null, "an application has one poll at a time");
    invariant(room > 0, "a poll is made only where there is room");
    this.#polling = room;
    this.more = false;
  }

  /** The poll has ended. @returns the number of claims that were reserved for it. */
  endPoll(): number {
    invariant(this.#polling !== null, "only a poll that was begun ends");
    const room = this.#polling;
    this.#polling = null;
    return room;
  }

  /**
   * The circuit admitted the poll, fully or for a probe.
   *
   * @param askedAt on the monotonic clock.
   * @returns how many deliveries may be claimed.
   */
  admit(isProbe: boolean, askedAt: number): number {
    invariant(this.#polling !== null, "the circuit is asked by a poll");
    if (!isProbe) {
      this.#circuit = { mode: "closed" };
      this.found(true, askedAt);
      return this.#polling;
    }
    this.#circuit = { mode: "half-open", probe: null };
    this.#closedAt = Number.NEGATIVE_INFINITY;
    this.#pace = FIRST_PACE;
    return 1;
  }

  /** The circuit's answer to a question of `askedAt`, on the monotonic clock. */
  found(isClosed: boolean, askedAt: number): void {
    this.#closedAt = isClosed ? Math.max(this.#closedAt, askedAt) : Number.NEGATIVE_INFINITY;
  }

  /** The circuit is open until then. */
  open(until: number): void {
    this.#circuit = { mode: "open", until };
    this.#closedAt = Number.NEGATIVE_INFINITY;
    this.#pace = FIRST_PACE;
  }

  /** The circuit is closed: another process reported it, or the clock was set back. */
  close(): void {
    this.#circuit = { mode: "closed" };
  }

  /** The probe had no result: the next poll asks the circuit for another. */
  returnProbe(): void {
    this.#circuit = { mode: "half-open", probe: null };
    this.more = true;
  }

  /** Adds a claim, which waits for its attempt. */
  push(claim: C): void {
    invariant(claim.stage === "waiting" && claim.appId === this.appId, "what is claimed waits first");
    if (claim.probe !== null) this.#circuit = { mode: "half-open", probe: claim.probe };
    this.#queue.push(claim);
  }

  /** A transaction in progress may bring a claim. */
  reserve(): void {
    this.#reserved++;
  }

  /** The transaction of a {@link reserve} has ended. */
  endReservation(): void {
    invariant(this.#reserved > 0, "no more transactions end than began");
    this.#reserved--;
  }

  /** Starts the attempt of the claim that has waited longest. */
  attempt(): C {
    const claim = this.#queue.shift();
    invariant(claim?.stage === "waiting", "an attempt begins with a claim that waits");
    invariant(this.#attempting < this.#perApp, "an application has perApp attempts at most");
    claim.stage = "attempting";
    this.#attempting++;
    return claim;
  }

  /** Applies the result of an attempt to the pace and the circuit. `judgedAt` is on the monotonic clock. */
  judge(claim: C, { success, fast, passes }: Judgement, judgedAt: number): void {
    invariant(claim.stage === "attempting", "what is judged is attempted");
    this.#fast = fast;
    if (passes !== null) this.found(passes, judgedAt);
    if (success) this.#pace = Math.min(this.#pace + 1, this.#perApp);
    if (claim.probe === null) return;
    const hasClosed = passes === true;
    if (hasClosed) this.#pace = FIRST_PACE;
    this.#circuit = hasClosed ? { mode: "closed" } : { mode: "half-open", probe: null };
    // The poll that returned the probe did not look for further due deliveries.
    this.more = true;
  }

  /** The attempt has ended and is being recorded. */
  record(claim: C): void {
    invariant(claim.stage === "attempting", "what is recorded was attempted");
    this.#checkProbe(claim);
    claim.stage = "recording";
    this.#attempting--;
    this.#recording++;
  }

  /** Begins to release a claim that a transaction has brought. */
  refuse(claim: C): void {
    invariant(claim.stage === "waiting" && claim.probe === null, "what is refused has not waited yet");
    claim.stage = "releasing";
    this.#recording++;
  }

  /** Begins to release all waiting claims. */
  release(): C[] {
    const claims = this.#queue.splice(0);
    for (const claim of claims) claim.stage = "releasing";
    this.#fast = false;
    this.#recording += claims.length;
    return claims;
  }

  /** The claim is no longer held, or remains for the close to release. */
  end(claim: C, last: "ended" | "interrupted"): void {
    this.#checkProbe(claim);
    if (claim.stage === "attempting") this.#attempting--;
    else {
      invariant(claim.stage === "recording" || claim.stage === "releasing", "a claim ends once, after its attempt");
      this.#recording--;
    }
    claim.stage = last;
    invariant(this.#attempting >= 0 && this.#recording >= 0, "no more claims end than began");
  }

  /** While a probe is held nothing else is claimed, so a claim must not end as long as it is the probe. */
  #checkProbe({ probe }: C): void {
    const inHand = this.#circuit.mode === "half-open" ? this.#circuit.probe : null;
    invariant(probe === null || inHand !== probe, "a probe is judged or released before its claim ends");
  }
}
