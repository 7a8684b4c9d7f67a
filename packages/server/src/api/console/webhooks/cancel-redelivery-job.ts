import { cancelJob, findJob } from "../../../domain/webhooks/redelivery/redelivery-job-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import { type ConsoleRoute, NO_CONTENT } from "../../common/console/console-route.ts";

/** DELETE apps/{appId}/redelivery-jobs/{jobId}: what it has redelivered so far stays redelivered. */
export const cancelRedeliveryJob: ConsoleRoute<never, never, typeof NO_CONTENT> = {
  method: "DELETE",
  url: "/apps/:appId/redelivery-jobs/:jobId",
  summary: "Cancel a redelivery job",
  access: "owner",
  value: NO_CONTENT,
  async handle(ctx, call) {
    const { appId, tenantId } = call.app;
    const { jobId = "" } = call.params;
    await ctx.storage.write(async (tx) => {
      await cancelJob(tx, appId, jobId);
      const job = await findJob(tx, appId, jobId);
      if (job === null) throw new ConsoleError("REDELIVERY_JOB_NOT_FOUND");
      if (job.state === "DONE") throw new ConsoleError("REDELIVERY_JOB_DONE");
      const { redelivered, skipped } = job;
      await call.audit(tx, {
        action: "redelivery-job.cancel",
        target: `redelivery-job:${jobId}`,
        appId,
        tenantId,
        before: null,
        after: { redelivered, skipped },
      });
    });
    return null;
  },
};
