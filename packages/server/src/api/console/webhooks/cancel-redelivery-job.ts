import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { cancelJob, findJob } from "../../../domain/webhooks/redelivery/redelivery-job-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** DELETE apps/{appId}/redelivery-jobs/{jobId}: deliveries that it has redelivered already are not affected. */
export const cancelRedeliveryJob: ConsoleRoute<typeof CONSOLE_ENDPOINTS.cancelRedeliveryJob> = {
  endpoint: CONSOLE_ENDPOINTS.cancelRedeliveryJob,
  async handle(ctx, call) {
    const { appId, tenantId } = call.app;
    const { jobId } = call.params;
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
