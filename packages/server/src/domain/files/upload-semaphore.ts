import type { Owner } from "../../platform/limits/owner.ts";

interface Share {
  /** Concurrent uploads by this kind of owner, in this process. */
  all: number;
  /** Of these, by owners in the same tenant or application. */
  within: number;
  /** Of these, by one owner. */
  ofOne: number;
}

/**
 * Each kind of owner has its own limit, so that no kind blocks another. 64 in all, because each upload takes up to 42
 * MiB of disk until it is stored.
 */
const SHARES: Record<Owner["type"], Share> = {
  APP: { all: 32, within: 32, ofOne: 20 },
  MEMBER: { all: 20, within: 16, ofOne: 3 },
  VISITOR: { all: 12, within: 8, ofOne: 3 },
};

/** The most uploads of one owner that may wait. */
const MAX_WAITING_OF_ONE = 100;

interface Waiting {
  uploader: Owner;
  /** Time on the caller's clock. */
  since: number;
  settle: (hasBegun: boolean) => void;
}

/** Limits the number of concurrent uploads. */
export class UploadSemaphore {
  readonly #underWay = new Map<string, number>();
  /** In order of arrival; at most as many as there are connections. */
  readonly #waiting = new Set<Waiting>();

  /** Begins an upload if there is a slot; then {@link release} must be called. */
  tryAcquire(uploader: Owner): boolean {
    const { all, within, ofOne } = SHARES[uploader.type];
    const [kind, circle, owner] = countersOf(uploader);
    if (this.#of(kind) >= all || this.#of(circle) >= within || this.#of(owner) >= ofOne) return false;
    for (const counter of countersOf(uploader)) this.#count(counter, 1);
    return true;
  }

  /**
   * Begins an upload when there is a slot; then {@link release} must be called.
   *
   * @param since the current time on the clock that {@link rejectSince} uses.
   * @returns whether it has begun; false when too many uploads of the owner wait already, or when {@link rejectSince}
   * rejected it.
   * @throws the reason of `signal`, if it is aborted first.
   */
  acquire(uploader: Owner, since: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.tryAcquire(uploader)) return resolve(true);
      const counter = `waiting ${nameOf(uploader)}`;
      if (this.#of(counter) >= MAX_WAITING_OF_ONE) return resolve(false);
      const stop = () => {
        this.#waiting.delete(waiting);
        this.#count(counter, -1);
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = () => {
        stop();
        reject(signal.reason);
      };
      const settle = (hasBegun: boolean) => {
        stop();
        resolve(hasBegun);
      };
      const waiting = { uploader, since, settle };
      this.#waiting.add(waiting);
      this.#count(counter, 1);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Rejects all uploads that have waited since `moment` or longer. */
  rejectSince(moment: number): void {
    for (const waiting of this.#waiting) {
      if (waiting.since > moment) return;
      waiting.settle(false);
    }
  }

  /** Ends an upload that has begun, and begins waiting ones for which there is a slot now. */
  release(uploader: Owner): void {
    for (const counter of countersOf(uploader)) this.#count(counter, -1);
    for (const waiting of this.#waiting) {
      if (this.tryAcquire(waiting.uploader)) waiting.settle(true);
    }
  }

  #of(counter: string): number {
    return this.#underWay.get(counter) ?? 0;
  }

  #count(counter: string, change: 1 | -1): void {
    const count = this.#of(counter) + change;
    if (count === 0) this.#underWay.delete(counter);
    else this.#underWay.set(counter, count);
  }
}

function countersOf(uploader: Owner): [kind: string, circle: string, owner: string] {
  const { type, within = "" } = uploader;
  return [type, `${type} of ${within}`, nameOf(uploader)];
}

function nameOf({ type, id }: Owner): string {
  return `${type}: ${id}`;
}
