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

export type ClaimStage = "waiting" | "attempting" | "recording" | "returning" | "left" | "ended";

/** What is known of an application's circuit; `probe` is the token of the probe in hand. The modes are explained in delivery-machine.ts. */
export type CircuitMode =
  | { mode: "closed" }
  | { mode: "open"; until: number }
  | { mode: "half-open"; probe: string | null };

/** What an attempt means for those that follow it. */
export interface Judgement {
  success: boolean;
  /** Whether it succeeded so soon that claims taken ahead would not wait long. */
  swift: boolean;
  /** Whether the circuit lets everything through now; null when that could not be learnt. */
  passes: boolean | null;
}

/** The pace after the circuit has been anything but closed. */
const FIRST_PACE = 1;

/** What this process knows and holds of one application's deliveries; pure, changed only by the methods below. */
export class AppDeliveries<C extends Claim> implements AppLoad {
  readonly appId: string;
  readonly #perApp: number;
  readonly #queue: C[] = [];
  #attempting = 0;
  #recording = 0;
  #circuit: CircuitMode = { mode: "closed" };
  /** How many claims the look under way may bring; null when there is none. */
  #looking: number | null = null;
  #pace: number;
  #swift = false;
  /** Whether there may be something due that nobody has claimed. */
  more = false;
  /** When something is known to be due next, in epoch milliseconds. */
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

  /** Claims being recorded or given back. */
  get recording(): number {
    return this.#recording;
  }

  get pace(): number {
    return this.#pace;
  }

  get swift(): boolean {
    return this.#swift;
  }

  get circuit(): CircuitMode {
    return this.#circuit;
  }

  get isLooking(): boolean {
    return this.#looking !== null;
  }

  /** Whether it can be forgotten: nothing in hand, nothing to do and nothing to come. */
  get isForgettable(): boolean {
    const inHand = this.waiting + this.#attempting + this.#recording;
    return inHand === 0 && this.#looking === null && !this.more && this.dueAt === null;
  }

  /** Until when the circuit lets nothing through, in epoch milliseconds; 0 when it is not open. */
  get openUntil(): number {
    return this.#circuit.mode === "open" ? this.#circuit.until : 0;
  }

  /** The claim that has waited longest. */
  get first(): C | undefined {
    return this.#queue[0];
  }

  /** A look begins that may bring `room` claims. */
  beginLook(room: number): void {
    invariant(this.#looking === null, "an application has one look at a time");
    invariant(room > 0, "a look is made only where there is room");
    this.#looking = room;
    this.more = false;
  }

  /** The look is over. @returns how many claims it might have brought. */
  endLook(): number {
    invariant(this.#looking !== null, "only a look that was begun ends");
    const room = this.#looking;
    this.#looking = null;
    return room;
  }

  /** The circuit let the look pass: everything, or a probe. @returns how many may be claimed. */
  admit(isProbe: boolean): number {
    invariant(this.#looking !== null, "the circuit is asked by a look");
    if (!isProbe) {
      this.#circuit = { mode: "closed" };
      return this.#looking;
    }
    this.#circuit = { mode: "half-open", probe: null };
    this.#pace = FIRST_PACE;
    return 1;
  }

  /** The circuit lets nothing through until then. */
  open(until: number): void {
    this.#circuit = { mode: "open", until };
    this.#pace = FIRST_PACE;
  }

  /** The circuit lets everything through, as another process found, or as it may since the clock was set back. */
  close(): void {
    this.#circuit = { mode: "closed" };
  }

  /** The probe said nothing of the receiver: the next look asks the circuit for another. */
  returnProbe(): void {
    this.#circuit = { mode: "half-open", probe: null };
    this.more = true;
  }

  /** A claim is in hand and waits for its attempt. */
  push(claim: C): void {
    invariant(claim.stage === "waiting" && claim.appId === this.appId, "what is claimed waits first");
    if (claim.probe !== null) this.#circuit = { mode: "half-open", probe: claim.probe };
    this.#queue.push(claim);
  }

  /** The claim that has waited longest is attempted now. */
  attempt(): C {
    const claim = this.#queue.shift();
    invariant(claim?.stage === "waiting", "an attempt begins with a claim that waits");
    invariant(this.#attempting < this.#perApp, "an application has perApp attempts at most");
    claim.stage = "attempting";
    this.#attempting++;
    return claim;
  }

  /** Draws from an attempt what it means for those that follow. */
  judge(claim: C, { success, swift, passes }: Judgement): void {
    invariant(claim.stage === "attempting", "what is judged is attempted");
    this.#swift = swift;
    if (success) this.#pace = Math.min(this.#pace + 1, this.#perApp);
    if (claim.probe === null) return;
    const hasClosed = passes === true;
    if (hasClosed) this.#pace = FIRST_PACE;
    this.#circuit = hasClosed ? { mode: "closed" } : { mode: "half-open", probe: null };
    // The look that brought the probe said nothing of what else is due.
    this.more = true;
  }

  /** The attempt is over and is being recorded. */
  record(claim: C): void {
    invariant(claim.stage === "attempting", "what is recorded was attempted");
    this.#checkProbe(claim);
    claim.stage = "recording";
    this.#attempting--;
    this.#recording++;
  }

  /** Everything that waits is being given back. */
  giveBack(): C[] {
    const claims = this.#queue.splice(0);
    for (const claim of claims) claim.stage = "returning";
    this.#swift = false;
    this.#recording += claims.length;
    return claims;
  }

  /** The claim is no longer in hand, or is left for the close to give back. */
  end(claim: C, last: "ended" | "left"): void {
    this.#checkProbe(claim);
    if (claim.stage === "attempting") this.#attempting--;
    else {
      invariant(claim.stage === "recording" || claim.stage === "returning", "a claim ends once, after its attempt");
      this.#recording--;
    }
    claim.stage = last;
    invariant(this.#attempting >= 0 && this.#recording >= 0, "no more claims end than began");
  }

  /** While a probe is in hand nothing else is claimed, so a claim must not end with it. */
  #checkProbe({ probe }: C): void {
    const inHand = this.#circuit.mode === "half-open" ? this.#circuit.probe : null;
    invariant(probe === null || inHand !== probe, "a probe is judged or given back before its claim ends");
  }
}
