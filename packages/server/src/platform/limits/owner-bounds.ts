import { ApiError } from "@portico/protocol";
import type { Clock } from "../clock/clock.ts";
import type { Config } from "../config/config.ts";
import { Refusal } from "../errors/refusal.ts";
import { Allowances } from "./allowances.ts";
import type { Owner } from "./owner.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Storage overhead in bytes of a message and of a file: rows, index entries, a block of the file system. */
const MESSAGE_BYTES = 512;
const FILE_BYTES = 4_096;

/** What is to be stored. */
interface Piece {
  messages: number;
  bytes: number;
}

/**
 * Limits how much each owner stores, in each process: bytes per hour, and for members and visitors also messages per
 * minute. All visitors of an application together have one allowance of the application's size, separate from the
 * application's own: creating many visitors gains nothing and does not block the application. Visitors without a name, whom
 * anybody makes, have one of their own instead, so that they cannot use up the others', and one for each address.
 */
export class OwnerBounds {
  readonly #clock: Clock;
  readonly #memberMessages: Allowances;
  readonly #visitorMessages: Allowances;
  readonly #memberBytes: Allowances;
  readonly #visitorBytes: Allowances;
  readonly #appBytes: Allowances;
  readonly #visitorsOfApp: Allowances;
  readonly #anonymousAddress: Allowances;
  readonly #anonymousOfApp: Allowances;

  constructor(limits: Config["limits"], clock: Clock) {
    this.#clock = clock;
    this.#memberMessages = new Allowances(limits.memberMessagesPerMinute, MINUTE_MS);
    this.#visitorMessages = new Allowances(limits.visitorMessagesPerMinute, MINUTE_MS);
    this.#memberBytes = new Allowances(limits.memberBytesPerHour, HOUR_MS);
    this.#visitorBytes = new Allowances(limits.visitorBytesPerHour, HOUR_MS);
    this.#appBytes = new Allowances(limits.appBytesPerHour, HOUR_MS);
    this.#visitorsOfApp = new Allowances(limits.appBytesPerHour, HOUR_MS);
    this.#anonymousAddress = new Allowances(limits.anonymousAddressBytesPerHour, HOUR_MS);
    this.#anonymousOfApp = new Allowances(limits.anonymousAppBytesPerHour, HOUR_MS);
  }

  /**
   * Counts a message of `bytes`.
   *
   * @throws ApiError 429001 when the owner has stored as much as they may; nothing is counted then.
   */
  takeMessage(owner: Owner, bytes: number): void {
    this.#take(owner, { messages: 1, bytes: bytes + MESSAGE_BYTES });
  }

  /**
   * Counts nothing, but looks whether a message of `bytes` may be stored.
   *
   * @throws ApiError 429001 when the owner has stored as much as they may.
   */
  checkMessage(owner: Owner, bytes: number): void {
    this.#check(owner, { messages: 1, bytes: bytes + MESSAGE_BYTES });
  }

  /** Counts additional bytes of a message that was counted before, such as its webhook events. Never refuses. */
  addBytes(owner: Owner, bytes: number): void {
    const now = this.#clock.monotonic();
    for (const [allowances, key, use] of this.#uses(owner, { messages: 0, bytes })) allowances.take(key, use, now);
  }

  /**
   * Counts an upload of which `bytes` have been announced.
   *
   * @returns a function that corrects the count, to be called with the actual size in bytes.
   * @throws ApiError 429001 when the owner has stored as much as they may; nothing is counted then.
   */
  takeUpload(owner: Owner, bytes: number): (actualBytes: number) => void {
    this.#take(owner, { messages: 0, bytes: bytes + FILE_BYTES });
    return (actualBytes) => this.addBytes(owner, actualBytes - bytes);
  }

  /** The refusal when the application may not store `bytes` more now; null when it may. */
  refusalOfApp(appId: string, bytes: number): Refusal | null {
    const now = this.#clock.monotonic();
    const waitMs = this.#appBytes.waitFor(appId, bytes + MESSAGE_BYTES, now);
    if (waitMs === 0) return null;
    const retryAfterSeconds = secondsOf(waitMs);
    const used = this.#appBytes.used(appId, now);
    const limit = this.#appBytes.amount;
    const details = {
      exceeded: "bytes",
      limit,
      used,
      resetAt: Math.ceil(this.#clock.now() + waitMs),
      retryAfterSeconds,
    } as const;
    const reason = "quota exceeded: bytes";
    return new Refusal("QUOTA_EXCEEDED", { check: "quota", details }, { reason, retryAfterSeconds });
  }

  /** Counts what an application stores. */
  takeOfApp(appId: string, bytes: number): void {
    this.#appBytes.take(appId, bytes + MESSAGE_BYTES, this.#clock.monotonic());
  }

  #take(owner: Owner, piece: Piece): void {
    this.#check(owner, piece);
    const now = this.#clock.monotonic();
    for (const [allowances, key, use] of this.#uses(owner, piece)) allowances.take(key, use, now);
  }

  #check(owner: Owner, piece: Piece): void {
    const now = this.#clock.monotonic();
    for (const [allowances, key, use] of this.#uses(owner, piece)) {
      const waitMs = allowances.waitFor(key, use, now);
      if (waitMs === 0) continue;
      const isRate = allowances === this.#memberMessages || allowances === this.#visitorMessages;
      throw new ApiError(isRate ? "MESSAGES_TOO_FREQUENT" : "STORED_TOO_MUCH", {
        retryAfterSeconds: secondsOf(waitMs),
      });
    }
  }

  #uses({ type, id, within = "", anonymousAt }: Owner, { messages, bytes }: Piece): [Allowances, string, number][] {
    if (type === "APP") return [[this.#appBytes, id, bytes]];
    if (type === "MEMBER") {
      return [
        [this.#memberMessages, id, messages],
        [this.#memberBytes, id, bytes],
      ];
    }
    const own: [Allowances, string, number][] = [
      [this.#visitorMessages, id, messages],
      [this.#visitorBytes, id, bytes],
    ];
    if (anonymousAt === undefined) return [...own, [this.#visitorsOfApp, within, bytes]];
    return [...own, [this.#anonymousAddress, anonymousAt, bytes], [this.#anonymousOfApp, within, bytes]];
  }
}

function secondsOf(waitMs: number): number {
  return Math.ceil(Math.min(waitMs, HOUR_MS) / 1_000);
}
