import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { setStatus } from "../../../domain/applications/locked-app.ts";
import { closeReview, findPending } from "../../../domain/applications/review-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp, viewApp } from "../../common/console/require-app.ts";

/**
 * DELETE apps/{appId}/submit: withdraws the waiting review. The scopes stay requested until the next submission, or
 * until they are dropped.
 */
export const withdrawApp: ConsoleRoute<typeof CONSOLE_ENDPOINTS.withdrawApp, AppParts> = {
  endpoint: CONSOLE_ENDPOINTS.withdrawApp,
  async handle(ctx, { app: { appId }, audit }) {
    const view = await ctx.storage.write(async (tx) => {
      const { tenantId, status } = await requireLockedApp(tx, appId);
      const pending = await findPending(tx, appId);
      if (pending === null && status !== "IN_REVIEW") throw new ConsoleError("REVIEW_NOT_PENDING");
      if (pending !== null) await closeReview(tx, pending.reviewId, { state: "WITHDRAWN" });
      const after = status === "IN_REVIEW" ? "UNPUBLISHED" : status;
      await setStatus(tx, appId, after);
      await audit(tx, {
        action: "app.withdraw",
        target: `app:${appId}`,
        appId,
        tenantId,
        before: { status },
        after: { status: after },
      });
      return await viewApp(tx, appId);
    });
    ctx.apps.forget(appId);
    return view;
  },
};
