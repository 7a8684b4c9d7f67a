import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { setStatus } from "../../../domain/applications/locked-app.ts";
import { closeReview, findPending } from "../../../domain/applications/review-store.ts";
import { dropRequested } from "../../../domain/applications/scope-store.ts";
import { checkNotBlank } from "../../common/console/app-profile.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";
import { viewOperatorApp } from "./app-view.ts";
import { readReviewedState, revisionOf } from "./reviewed-state.ts";

/**
 * POST operator/reviews/{appId}/reject: the application returns to UNPUBLISHED with the reviewer's comment; its scopes
 * stay requested. An application that was approved before keeps its state, and its requested scopes are dropped.
 */
export const rejectReview: ConsoleRoute<typeof OPERATOR_ENDPOINTS.rejectReview, AppParts> = {
  endpoint: OPERATOR_ENDPOINTS.rejectReview,
  async handle(ctx, { params: { appId }, developer, body, audit }) {
    const { comment, revision } = body;
    checkNotBlank(comment, "comment");
    const view = await ctx.storage.write(async (tx) => {
      const app = await requireLockedApp(tx, appId);
      const { tenantId, status } = app;
      const pending = await findPending(tx, appId);
      if (pending === null) throw new ConsoleError("REVIEW_NOT_PENDING");
      const seen = revision !== undefined && (await readReviewedState(tx, { ...app, asked: pending.scopes }));
      if (seen && revision !== revisionOf(seen)) throw new ConsoleError("REVIEWED_APP_CHANGED");
      const reviewedBy = developer.developerId;
      const outcome = { state: "REJECTED", reviewedBy, comment, now: ctx.clock.now() } as const;
      if (!(await closeReview(tx, pending.reviewId, outcome))) throw new ConsoleError("REVIEW_ALREADY_CLOSED");
      const after = status === "IN_REVIEW" ? "UNPUBLISHED" : status;
      await setStatus(tx, appId, after);
      if (status !== "IN_REVIEW") await dropRequested(tx, appId, pending.scopes);
      await audit(tx, {
        action: "review.reject",
        target: `app:${appId}`,
        appId,
        tenantId,
        before: { status },
        after: { status: after, refused: pending.scopes, comment },
      });
      return await viewOperatorApp(tx, appId);
    });
    ctx.apps.forget(appId);
    return view;
  },
};
