import { growingLru } from "../../platform/limits/growing-lru.ts";
import { TokenBucket } from "../../platform/limits/token-bucket.ts";

/** New visitors from one address: an office behind one address has some at once, a script no more than these. */
const PER_ADDRESS = { capacity: 20, perSecond: 0.1 };
/** New visitors of one application: as many as a sale brings, and as twenty addresses that make them without end. */
const PER_APP = { capacity: 3_000, perSecond: 2 };
/** What the next token of a known visitor counts, of a new visitor. */
const OF_RENEWAL = 0.1;

/** The most addresses, and the most applications, remembered by last use. */
const MAX_REMEMBERED = 10_000;

/**
 * How many visitors without a name may come, from an address and to an application. Counts this process only. Times are
 * milliseconds of a monotonic clock.
 */
export class AnonymousAllowance {
  readonly #addresses = growingLru<TokenBucket>(MAX_REMEMBERED);
  readonly #apps = growingLru<TokenBucket>(MAX_REMEMBERED);

  /**
   * Counts a new visitor, unless the allowance of either is used up: then nothing is counted.
   *
   * @returns null when they may come, else the seconds after which one more may.
   */
  takeNew(address: string, appId: string, now: number): number | null {
    const ofAddress = bucketOf(this.#addresses, address, PER_ADDRESS);
    if (!ofAddress.tryConsume(1, now)) return secondsPerToken(PER_ADDRESS);
    if (bucketOf(this.#apps, appId, PER_APP).tryConsume(1, now)) return null;
    ofAddress.giveBack(1);
    return secondsPerToken(PER_APP);
  }

  /** Counts a further token of a known visitor, which the application's allowance does not concern; returns the same. */
  takeRenewal(address: string, now: number): number | null {
    const isTaken = bucketOf(this.#addresses, address, PER_ADDRESS).tryConsume(OF_RENEWAL, now);
    return isTaken ? null : Math.ceil(secondsPerToken(PER_ADDRESS) * OF_RENEWAL);
  }
}

function bucketOf(buckets: ReturnType<typeof growingLru<TokenBucket>>, key: string, rate: typeof PER_APP): TokenBucket {
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    bucket = new TokenBucket(rate);
    buckets.set(key, bucket);
  }
  return bucket;
}

function secondsPerToken({ perSecond }: { perSecond: number }): number {
  return Math.ceil(1 / perSecond);
}
