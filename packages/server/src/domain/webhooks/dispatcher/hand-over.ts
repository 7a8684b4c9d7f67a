import type { ClaimedDelivery } from "../claimed-delivery.ts";

/**
 * A claim that is written with its delivery, by the process that will attempt it (concurrency.md, "Queues, leases and
 * tokens"). If its transaction does not take place, nor does the claim; if the process dies after it, the lease expires.
 */
export interface NewClaim {
  /** The end of the lease, in epoch milliseconds. */
  leaseEnd: number;
  /** When the lease began, on the monotonic clock. */
  claimedAt: number;
  /** Without its id until the insert has been answered; null until it was asked for. */
  delivery: Omit<ClaimedDelivery, "deliveryId"> | null;
  /** Set by the insert. */
  deliveryId: number | null;
}

/** What a {@link HandOver} needs of the dispatcher. */
export interface Reserving {
  /** Reserves room for a claim; null when the delivery must be written unclaimed. Followed by `written`. */
  reserve(appId: string): NewClaim | null;
  /** Gives a claim that was reserved for a new lease, before it is written again. */
  renew(claim: NewClaim): void;
  /** The transaction of a reservation has ended. `isCommitted` is false, too, when that is unknown. */
  written(appId: string, claim: NewClaim, isCommitted: boolean): void;
}

/**
 * The deliveries of one unit of work that this process claims where they are written, so that after the commit no poll has
 * to find them. A unit may run several times.
 */
export class HandOver {
  readonly #dispatcher: Reserving;
  readonly #claims = new Map<string, NewClaim>();

  constructor(dispatcher: Reserving) {
    this.#dispatcher = dispatcher;
  }

  /** Call it at the start of each run of the unit: what an earlier run has written does not count. */
  begin(): void {
    for (const claim of this.#claims.values()) {
      claim.delivery = null;
      claim.deliveryId = null;
      this.#dispatcher.renew(claim);
    }
  }

  /** A claim for the unit's delivery to the application, of which there is one; null when it must be written unclaimed. */
  claimFor(appId: string): NewClaim | null {
    const known = this.#claims.get(appId);
    if (known !== undefined) return known.delivery === null ? known : null;
    const claim = this.#dispatcher.reserve(appId);
    if (claim !== null) this.#claims.set(appId, claim);
    return claim;
  }

  /** Whether the application's delivery was claimed, so that nobody has to be told of it. */
  has(appId: string): boolean {
    return this.#claims.get(appId)?.deliveryId != null;
  }

  /** Runs the unit by `write`, and has its claims attempted once they are on disk. */
  async over<T>(write: () => Promise<T>): Promise<T> {
    let isCommitted = false;
    try {
      const result = await write();
      isCommitted = true;
      return result;
    } finally {
      for (const [appId, claim] of this.#claims) this.#dispatcher.written(appId, claim, isCommitted);
    }
  }
}
