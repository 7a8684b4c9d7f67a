import type { Clock } from "../clock/clock.ts";
import { growingLru } from "../limits/growing-lru.ts";
import { TokenBucket } from "../limits/token-bucket.ts";

/**
 * The token bucket of one stream: a frame costs one, and one more per KiB. The capacity is enough for some twenty
 * resumes of a thousand conversations, or hundreds of small frames; the rate is that of a fast typist, or of a reader
 * of a busy chat.
 */
const STREAM = { capacity: 600, perSecond: 30 };
/** The token bucket of all streams of one owner, including consecutive ones. */
const OWNER = { capacity: 4_000, perSecond: 120 };
/** The most owners with a bucket; those inactive for longest are dropped. */
const MAX_OWNERS = 10_000;
const OPENING_COST = 10;
const BYTES_PER_UNIT = 1_024;

/** The extra cost of a frame that makes the service read more than the frame's own subject. */
export const EXTRA_READ_COST = 20;

/** The buckets of the owners of one kind of streams. */
export class OwnersAllowances {
  readonly #clock: Clock;
  readonly #owners = growingLru<TokenBucket>(MAX_OWNERS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the cost of another stream; false when the owner cannot pay it now. */
  tryOpen(ownerId: string): boolean {
    return this.of(ownerId).tryConsume(OPENING_COST, this.#clock.now());
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

/** The remaining allowance of one stream. */
export class FrameAllowance {
  readonly #clock: Clock;
  readonly #stream: TokenBucket;
  #owner: TokenBucket | null = null;

  constructor(clock: Clock, bucket = STREAM) {
    this.#clock = clock;
    this.#stream = new TokenBucket(bucket);
  }

  /** From now on charges the stream's cost to its owner as well. */
  belongTo(owner: TokenBucket): void {
    this.#owner = owner;
  }

  /** Takes the cost of a frame of this length; false when it is not covered. */
  tryConsumeFrame(bytes: number): boolean {
    return this.tryConsume(1 + bytes / BYTES_PER_UNIT);
  }

  tryConsume(cost: number): boolean {
    const now = this.#clock.now();
    return this.#stream.tryConsume(cost, now) && (this.#owner?.tryConsume(cost, now) ?? true);
  }
}
