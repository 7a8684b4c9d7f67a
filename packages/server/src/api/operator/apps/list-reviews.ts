import { type AppReview, SCOPES } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listReviews as list } from "../../../domain/applications/app-lists.ts";
import { appOf, ownerOf, reviewOf } from "../../../domain/applications/app-views.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { changesSinceApproval, readReviewedState, revisionOf } from "./reviewed-state.ts";

/** GET operator/reviews: waiting ones oldest first, all others newest first. */
export const listReviews: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listReviews> = {
  endpoint: OPERATOR_ENDPOINTS.listReviews,
  async handle({ storage }, { query }) {
    const { state = "PENDING", page = 1, pageSize = 20 } = query;
    const { rows, total } = await list(storage.lists, state, { page, pageSize });
    const items = [];
    for (const row of rows) {
      const review = reviewOf(row);
      const scopes = review.scopes.map((scope) => ({ scope, risk: SCOPES[scope].risk }));
      const app = appOf(row);
      const judged = await judgedOf(storage.lists, app, review);
      items.push({ ...review, scopes, reviewedBy: row.reviewedBy, app, owner: ownerOf(row), ...judged });
    }
    return { items, total, page, pageSize };
  },
};

/** What a reviewer judges by: only while the review waits. */
async function judgedOf(db: Db, app: ReturnType<typeof appOf>, { state, scopes, reviewedAt }: AppReview) {
  if (state !== "PENDING") {
    return { approvedAt: state === "APPROVED" ? reviewedAt : null, changes: null, revision: "" };
  }
  const reviewed = await readReviewedState(db, app, scopes);
  return { ...(await changesSinceApproval(db, app.appId, reviewed)), revision: revisionOf(reviewed) };
}
