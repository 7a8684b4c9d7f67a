import type { AppState, Scope } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { setStatus } from "../../../domain/applications/locked-app.ts";
import { closeReview, findPending } from "../../../domain/applications/review-store.ts";
import { grantRequested } from "../../../domain/applications/scope-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { AppParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { requireLockedApp } from "../../common/console/require-app.ts";
import { viewOperatorApp } from "./app-view.ts";
import { readReviewedState, revisionOf } from "./reviewed-state.ts";

/**
 * POST operator/reviews/{appId}/approve: the application becomes ACTIVE and gets the scopes of the review
 * (docs/contract/applications.md#states). Of concurrent decisions, one succeeds.
 */
export const approveReview: ConsoleRoute<typeof OPERATOR_ENDPOINTS.approveReview, AppParts> = {
  endpoint: OPERATOR_ENDPOINTS.approveReview,
  async handle(ctx, { params: { appId }, developer, body, audit }) {
    const { comment = null, scopes: seen, revision } = body;
    const view = await ctx.storage.write(async (tx) => {
      const app = await requireLockedApp(tx, appId);
      const { tenantId, status } = app;
      const pending = await findPending(tx, appId);
      if (pending === null) throw new ConsoleError("REVIEW_NOT_PENDING");
      checkApprovable(status, pending.scopes, seen);
      const approved = await readReviewedState(tx, { ...app, asked: pending.scopes });
      if (revision !== undefined && revision !== revisionOf(approved)) throw new ConsoleError("REVIEWED_APP_CHANGED");
      const decision = { reviewedBy: developer.developerId, comment, now: ctx.clock.now() };
      const outcome = { state: "APPROVED", approved, ...decision } as const;
      if (!(await closeReview(tx, pending.reviewId, outcome))) throw new ConsoleError("REVIEW_ALREADY_CLOSED");
      await setStatus(tx, appId, "ACTIVE");
      await grantRequested(tx, appId, pending.scopes);
      await audit(tx, {
        action: "review.approve",
        target: `app:${appId}`,
        appId,
        tenantId,
        before: { status },
        after: { status: "ACTIVE", granted: pending.scopes, comment },
      });
      return await viewOperatorApp(tx, appId);
    });
    ctx.apps.forget(appId);
    return view;
  },
};

/**
 * An approval must not end the disabling of an application, and must not grant scopes that the reviewer has not seen.
 *
 * @throws ConsoleError 409.
 */
function checkApprovable(status: AppState, asked: readonly Scope[], seen: readonly Scope[] | undefined): void {
  if (status === "DISABLED") throw new ConsoleError("REVIEWED_APP_DISABLED");
  if (seen !== undefined && !isSameSet(new Set(asked), new Set(seen))) {
    throw new ConsoleError("REVIEWED_SCOPES_CHANGED");
  }
}

function isSameSet(left: ReadonlySet<Scope>, right: ReadonlySet<Scope>): boolean {
  return left.size === right.size && [...left].every((scope) => right.has(scope));
}
