import { LRUCache } from "lru-cache";
import type { Clock } from "../clock/clock.ts";
import { TokenBucket } from "../limits/token-bucket.ts";

/**
 * What one stream may cost: every frame one and another for each KiB. Some twenty resumes of a thousand conversations, or
 * hundreds of small frames, at once; then as many as an eager typist, or a reader of a lively chat, causes.
 */
const STREAM = { capacity: 600, perSecond: 30 };
/** What all streams of one owner may cost together, those that came one after another included. */
const OWNER = { capacity: 4_000, perSecond: 120 };
/** Owners whose spending is remembered; of more, those who spent last are. */
const MAX_OWNERS = 10_000;
const OPENING_COSTS = 10;
const BYTES_PER_UNIT = 1_024;

/** What a frame that takes reading more than its own subject costs beside its size. */
export const LOOKING_COSTS = 20;

/** What the owners of one kind of streams have spent. */
export class OwnersAllowances {
  readonly #clock: Clock;
  readonly #owners = new LRUCache<string, TokenBucket>({ max: MAX_OWNERS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the owner may open another stream now; it is paid for then. */
  takeOpening(ownerId: string): boolean {
    return this.of(ownerId).take(OPENING_COSTS, this.#clock.now());
  }

  of(ownerId: string): TokenBucket {
    let bucket = this.#owners.get(ownerId);
    if (bucket === undefined) {
      bucket = new TokenBucket(OWNER);
      this.#owners.set(ownerId, bucket);
    }
    return bucket;
  }
}

/** What one stream may still send. */
export class FrameAllowance {
  readonly #clock: Clock;
  readonly #stream = new TokenBucket(STREAM);
  #owner: TokenBucket | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From here on what the stream costs is its owner's cost too. */
  belongTo(owner: TokenBucket): void {
    this.#owner = owner;
  }

  /** Whether a frame of so many bytes is within what may come. */
  takeFrame(bytes: number): boolean {
    return this.take(1 + bytes / BYTES_PER_UNIT);
  }

  take(cost: number): boolean {
    const now = this.#clock.now();
    return this.#stream.take(cost, now) && (this.#owner?.take(cost, now) ?? true);
  }
}
