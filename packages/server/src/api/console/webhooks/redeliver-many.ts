import { ApiError, fault, type RedeliveryJob } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { laneOf } from "../../../domain/webhooks/delivery-lane.ts";
import { type DeliveryFilter, measureDeliveries } from "../../../domain/webhooks/delivery-queries.ts";
import { redeliver } from "../../../domain/webhooks/redelivery/redelivery.ts";
import { countRunningJobs, createJob } from "../../../domain/webhooks/redelivery/redelivery-job-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { RedeliveryParts } from "../parts.ts";

/** The most running jobs per application. */
const MAX_RUNNING_JOBS = 10;

/**
 * POST apps/{appId}/deliveries/redeliver: a selection at once, or a time range as a job, which is answered with 202.
 */
export const redeliverMany: ConsoleRoute<typeof CONSOLE_ENDPOINTS.redeliverMany, RedeliveryParts> = {
  endpoint: CONSOLE_ENDPOINTS.redeliverMany,
  async handle(ctx, call) {
    const { eventIds, status, eventType, from, to } = call.body;
    const range = { status, eventType, from, to };
    const { appId, tenantId } = call.app;
    if (eventIds === undefined) {
      const filter = checkRange(range);
      const job = await startJob(ctx, appId, filter, (tx, { jobId }) =>
        call.audit(tx, {
          action: "delivery.redeliver",
          target: `redelivery-job:${jobId}`,
          appId,
          tenantId,
          before: null,
          after: filter,
        }),
      );
      call.reply.code(202);
      return job;
    }
    if (Object.values(range).some((value) => value !== undefined)) {
      throw new ConsoleError("REDELIVERY_AMBIGUOUS");
    }
    const selected = new Set(eventIds);
    const redelivered = await ctx.storage.write(async (tx) => {
      const count = await redeliver(tx, appId, selected, ctx.webhooks.dueNow());
      await call.audit(tx, {
        action: "delivery.redeliver",
        target: `app:${appId}`,
        appId,
        tenantId,
        before: null,
        after: { eventIds: [...selected], redelivered: count },
      });
      return count;
    }, laneOf(appId));
    if (redelivered > 0) ctx.webhooks.due(appId);
    return { redelivered, skipped: selected.size - redelivered };
  },
};

async function startJob(
  ctx: RedeliveryParts,
  appId: string,
  filter: DeliveryFilter,
  audit: (tx: Db, job: RedeliveryJob) => Promise<void>,
): Promise<RedeliveryJob> {
  // Not inside the transaction, because it takes long.
  const measure = await measureDeliveries(ctx.storage.db, appId, filter);
  const job = await ctx.storage.write(async (tx) => {
    if ((await countRunningJobs(tx, appId)) >= MAX_RUNNING_JOBS) {
      throw new ConsoleError("REDELIVERIES_TOO_MANY");
    }
    const created = await createJob(tx, appId, filter, measure, ctx.clock.now());
    await audit(tx, created);
    return created;
  }, laneOf(appId));
  ctx.redeliveryJobs.wake();
  return job;
}

/** @throws ApiError 400 naming what is missing or wrong. */
function checkRange(range: DeliveryFilter): DeliveryFilter {
  if (range.from === undefined) throw new ConsoleError("REDELIVERY_UNSPECIFIED");
  if (range.to === undefined) throw new ApiError(fault("FIELD_MISSING", { field: "to" }));
  if (range.from > range.to) throw new ConsoleError("RANGE_REVERSED");
  return range;
}
