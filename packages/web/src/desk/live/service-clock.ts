/** An answer says its time to the second, and was on its way for a while: less than this is no difference. */
const EXACTNESS_MS = 2_000;
/** An answer that took longer says nothing exact. */
const LONGEST_MS = 2_000;

/** The service's clock, as its answers tell it. The times of sessions and messages are by it, and the page's own may be off. */
export class ServiceClock {
  #aheadMs = 0;

  /** Epoch milliseconds. */
  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /**
   * Takes the time that an answer tells.
   *
   * @param date its `Date` header.
   * @param sentAt by the page's clock, as is `receivedAt`.
   */
  take(date: string | null, sentAt: number, receivedAt: number): void {
    const told = date === null ? Number.NaN : Date.parse(date);
    if (Number.isNaN(told) || receivedAt < sentAt || receivedAt - sentAt > LONGEST_MS) return;
    const aheadMs = told + 500 - (sentAt + receivedAt) / 2;
    this.#aheadMs = Math.abs(aheadMs) < EXACTNESS_MS ? 0 : aheadMs;
  }
}

/** The clock of the service that this page came from. */
export const serviceClock = new ServiceClock();

/** Fetches as the browser does, and reads the service's clock. */
export async function clockedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const sentAt = Date.now();
  const answer = await fetch(...request);
  serviceClock.take(answer.headers.get("date"), sentAt, Date.now());
  return answer;
}
