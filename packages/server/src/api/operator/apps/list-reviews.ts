import { type AppReview, SCOPES } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listReviews as list } from "../../../domain/applications/app-lists.ts";
import { appOf, ownerOf, reviewOf } from "../../../domain/applications/app-views.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { readJudged } from "./reviewed-state.ts";

/** GET operator/reviews: waiting ones oldest first, all others newest first. */
export const listReviews: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listReviews> = {
  endpoint: OPERATOR_ENDPOINTS.listReviews,
  async handle({ storage }, { query }) {
    const { state = "PENDING", page = 1, pageSize = 20 } = query;
    const { rows, total } = await list(storage.lists, state, { page, pageSize });
    const reviews = rows.map((row) => ({ row, app: appOf(row), review: reviewOf(row) }));
    // What a reviewer judges by, only while the review waits.
    const waiting = reviews.filter(({ review }) => review.state === "PENDING");
    const judged = await readJudged(
      storage.lists,
      waiting.map(({ app, review }) => ({ ...app, asked: review.scopes })),
    );
    const judgedOf = new Map(waiting.map(({ app }, index) => [app.appId, judged[index]]));
    const items = reviews.map(({ row, app, review }) => {
      const scopes = review.scopes.map((scope) => ({ scope, risk: SCOPES[scope].risk }));
      const seen = judgedOf.get(app.appId) ?? decided(review);
      return { ...review, scopes, reviewedBy: row.reviewedBy, app, owner: ownerOf(row), ...seen };
    });
    return { items, total, page, pageSize };
  },
};

function decided({ state, reviewedAt }: AppReview) {
  return { approvedAt: state === "APPROVED" ? reviewedAt : null, changes: null, revision: "" };
}
