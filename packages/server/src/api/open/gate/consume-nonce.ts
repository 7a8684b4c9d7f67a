import type { Db } from "../../../platform/storage/schema.ts";
import { type AuthenticatedCall, unauthenticated } from "./authenticate.ts";
import type { GateParts } from "./gate-parts.ts";

/**
 * Consumes the call's nonce. It must have been free at the time of the check of the timestamp: body and turn of a replay
 * may take so long that the nonce expires meanwhile.
 *
 * @throws ApiError 401 when it has been used before.
 */
export async function consumeNonce(
  ctx: GateParts,
  tx: Db,
  { app, nonce, timestamp, checkedAt }: AuthenticatedCall,
): Promise<void> {
  const use = { appId: app.appId, nonce, timestamp, now: checkedAt };
  if (await ctx.nonces.consume(tx, use)) return;
  const lifetimeMs = ctx.config.limits.nonceTtlMs;
  const refusedUntil = await ctx.nonces.endOf(tx, use);
  // The nonce may be remembered slightly longer than it was valid, or may have been signed with a future timestamp.
  const seenAt = refusedUntil === null ? null : Math.min(refusedUntil - lifetimeMs, use.now);
  const details = { nonce, seenAt, refusedUntil, lifetimeMs };
  const forgotten = refusedUntil === null ? ", or its timestamp is of a time whose nonces are no longer kept" : "";
  throw unauthenticated({ check: "nonce", details }, `400004 the nonce has been used before${forgotten}`);
}
