import type { FastifyReply } from "fastify";
import type { App } from "../../../domain/applications/app-directory.ts";
import { loadDayUsage } from "../../../domain/applications/day-usage.ts";
import { type Admission, type DayCounter, dayOf } from "../../../platform/coordination/coordination.ts";
import { noRoom } from "../../../platform/disk/free-space.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { QuotaEntryParts } from "./gate-parts.ts";

const LIMIT_OF = { minute: "perMinute", day: "perDay", concurrent: "concurrent" } as const;

/** What a call stores. */
export interface Stored {
  use: "upload" | "message";
  bytes: number;
  /** Whether all of it is on disk; false when the disk became full during the upload. */
  isKept: boolean;
}

/**
 * One call's slot in its application's quotas: step 8 for a signed request
 * (docs/contract/signing.md#what-the-service-checks-and-in-which-order). A call that stores something also needs disk
 * space and storage allowance; without them it takes none.
 */
export class QuotaEntry {
  readonly #ctx: QuotaEntryParts;
  readonly #app: App;
  readonly #reply: FastifyReply;
  readonly #stored: Stored | null;
  /** Why the data cannot be stored. */
  #refusal: Refusal | null = null;
  #admission: Admission | null = null;
  /** Whether what it stores was counted: once, however often the call has to be admitted. */
  #isStoredCounted = false;
  /** The day on which it counts. */
  #day = 0;

  /** @param stored null for a call that stores nothing. */
  constructor(ctx: QuotaEntryParts, app: App, reply: FastifyReply, stored: Stored | null) {
    this.#ctx = ctx;
    this.#app = app;
    this.#reply = reply;
    this.#stored = stored;
  }

  /**
   * Takes a slot and sets the headers of the minute window. Acquiring again in a retried transaction counts once.
   *
   * @throws ApiError 429001 with the seconds to wait.
   */
  async acquire(tx: Db): Promise<void> {
    if (this.#admission?.admitted && !(await this.#stillCounts(this.#admission))) this.release();
    const isAgain = this.#admission !== null;
    this.#admission ??= await this.#admit(tx);
    const admission = this.#admission;
    if (admission.admitted) {
      const { counter } = admission;
      const isKept = () => this.#ctx.coordination.isKept(counter);
      const use = { appId: this.#app.appId, day: this.#day, counter, isKept };
      return await this.#ctx.dayLedger.record(tx, use, isAgain);
    }
    if (admission.exceeded === null) throw this.#refusal ?? new Error("a call was refused without a reason");
    const { exceeded, used, resetAt, retryAfterSeconds } = admission;
    const limit = this.#app.limits[LIMIT_OF[exceeded]];
    const details = { exceeded, limit, used, resetAt, retryAfterSeconds };
    const reason = `quota exceeded: ${exceeded}`;
    throw new Refusal("QUOTA_EXCEEDED", { check: "quota", details }, { reason, retryAfterSeconds });
  }

  /**
   * Releases the slot, if one was taken. Call it before sending the answer, so that the caller's next call finds it
   * free.
   */
  release(): void {
    if (this.#admission?.admitted) this.#ctx.coordination.release(this.#app.appId, this.#admission.lease);
    this.#admission = null;
  }

  async #admit(tx: Db): Promise<Admission> {
    const { appId, limits } = this.#app;
    const now = this.#ctx.clock.now();
    this.#refusal = this.#findNoRoom();
    const admission = await this.#ctx.coordination.admit({
      appId,
      limits,
      now,
      checkOnly: this.#refusal !== null,
      gatherUsage: () => this.#ctx.dayLedger.gathered(),
      loadDayUsage: (day) => loadDayUsage(tx, appId, day),
    });
    const { limit, remaining, resetSeconds } = admission.minute;
    this.#reply.headers({
      "x-ratelimit-limit": limit,
      "x-ratelimit-remaining": remaining,
      "x-ratelimit-reset": resetSeconds,
    });
    this.#day = dayOf(now);
    if (admission.admitted && this.#stored !== null && !this.#isStoredCounted) {
      this.#ctx.ownerBounds.takeOfApp(appId, this.#stored.bytes);
      if (this.#stored.use === "message") this.#ctx.freeSpace.storing(this.#stored.bytes);
      this.#isStoredCounted = true;
    }
    return admission;
  }

  /** In an earlier try of the transaction; a counter that was loaded since then does not know of it. */
  #stillCounts({ counter }: { counter: DayCounter }): Promise<boolean> {
    return this.#ctx.coordination.stillCounts({ appId: this.#app.appId, day: this.#day, counter });
  }

  #findNoRoom(): Refusal | null {
    if (this.#stored === null) return null;
    const { use, bytes, isKept } = this.#stored;
    if (!isKept || !this.#ctx.freeSpace.accepts(use)) return noRoom();
    return this.#isStoredCounted ? null : this.#ctx.ownerBounds.refusalOfApp(this.#app.appId, bytes);
  }
}
