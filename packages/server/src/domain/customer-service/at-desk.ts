import type { Clock } from "../../platform/clock/clock.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { Desk } from "./desk.ts";
import type { DeskHub } from "./desk-hub.ts";

/** The dependencies of a desk. */
export interface DeskParts {
  webhooks: Webhooks;
  deskLive: DeskHub;
  storage: Storage;
  clock: Clock;
}

/** The lane of an application's desk: calls that would wait for its lock share transactions. */
export function deskLane(appId: string): string {
  return `desk:${appId}`;
}

/**
 * Runs `work` at an application's desk in its own transaction.
 *
 * @param lane the lane to queue in, if not the desk's.
 */
export async function atDesk<T>(
  ctx: DeskParts,
  appId: string,
  work: (desk: Desk, tx: Db) => Promise<T>,
  lane = deskLane(appId),
): Promise<T> {
  const effects: (() => void)[] = [];
  const result = await ctx.storage.write(async (tx) => {
    // `work` may be retried; the effects of the rolled-back run are discarded.
    effects.length = 0;
    const now = ctx.clock.now();
    return await work(new Desk(ctx, tx, { appId, now, afterCommit: (effect) => void effects.push(effect) }), tx);
  }, lane);
  for (const effect of effects) effect();
  return result;
}
