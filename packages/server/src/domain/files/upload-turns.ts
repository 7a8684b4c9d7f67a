import type { Owner } from "../../platform/limits/owner.ts";

interface Share {
  /** How many uploads of this kind of owner may be under way in this process. */
  all: number;
  /** How many of them may be within one tenant or application. */
  within: number;
  /** How many of them may be of one owner. */
  ofOne: number;
}

/**
 * Each kind of owner has places of its own, so that no kind keeps another out: 64 in all, for each upload takes up to 42
 * MiB of the disk until it is stored.
 */
const SHARES: Record<Owner["type"], Share> = {
  APP: { all: 32, within: 32, ofOne: 20 },
  MEMBER: { all: 20, within: 16, ofOne: 3 },
  VISITOR: { all: 12, within: 8, ofOne: 3 },
};

/** How many uploads of one owner may wait for their turn. */
const MOST_WAITING_OF_ONE = 100;

interface Waiting {
  uploader: Owner;
  /** By whatever clock the caller goes by. */
  since: number;
  settle: (hasBegun: boolean) => void;
}

/** Bounds how many uploads are under way. */
export class UploadTurns {
  readonly #underWay = new Map<string, number>();
  /** In the order of their coming; no longer than there are connections. */
  readonly #waiting = new Set<Waiting>();

  /** Begins an upload if there is room for it; {@link end} must follow. */
  tryBegin(uploader: Owner): boolean {
    const { all, within, ofOne } = SHARES[uploader.type];
    const [kind, circle, owner] = countersOf(uploader);
    if (this.#of(kind) >= all || this.#of(circle) >= within || this.#of(owner) >= ofOne) return false;
    for (const counter of countersOf(uploader)) this.#count(counter, 1);
    return true;
  }

  /**
   * Begins an upload as soon as there is room for it; {@link end} must follow.
   *
   * @param since now, by the clock that {@link giveUpSince} is told.
   * @returns whether it has begun; false when too many of the owner's wait already, and for whom {@link giveUpSince} says so.
   * @throws the reason of `signal`, when that comes first.
   */
  begin(uploader: Owner, since: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.tryBegin(uploader)) return resolve(true);
      const counter = `waiting ${nameOf(uploader)}`;
      if (this.#of(counter) >= MOST_WAITING_OF_ONE) return resolve(false);
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

  /** Has those give up who have been waiting since `moment` or longer. */
  giveUpSince(moment: number): void {
    for (const waiting of this.#waiting) {
      if (waiting.since > moment) return;
      waiting.settle(false);
    }
  }

  /** Ends an upload that has begun, and has those begin that there is room for now. */
  end(uploader: Owner): void {
    for (const counter of countersOf(uploader)) this.#count(counter, -1);
    for (const waiting of this.#waiting) {
      if (this.tryBegin(waiting.uploader)) waiting.settle(true);
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
