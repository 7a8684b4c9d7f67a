import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findJob } from "../../../domain/webhooks/redelivery/redelivery-job-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/redelivery-jobs/{jobId}: the progress of a job. */
export const getRedeliveryJob: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getRedeliveryJob> = {
  endpoint: CONSOLE_ENDPOINTS.getRedeliveryJob,
  async handle(ctx, call) {
    const { appId } = call.app;
    const job = await findJob(ctx.storage.db, appId, call.params.jobId);
    if (job === null) throw new ConsoleError("REDELIVERY_JOB_NOT_FOUND");
    return job;
  },
};
