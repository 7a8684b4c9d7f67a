import { SCOPES } from "@portico/protocol";
import { ReviewListSchema, ReviewsQuerySchema } from "@portico/protocol/schemas";
import { listReviews } from "../../../domain/applications/app-lists.ts";
import { appOf, ownerOf, reviewOf } from "../../../domain/applications/app-views.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/reviews: what waits oldest first, all else newest first. */
export const readReviews: ConsoleRoute<never, typeof ReviewsQuerySchema, typeof ReviewListSchema> = {
  method: "GET",
  url: "/operator/reviews",
  summary: "List reviews, by default those that wait",
  query: ReviewsQuerySchema,
  access: "operator",
  value: ReviewListSchema,
  async handle({ storage }, { query }) {
    const { state = "PENDING", page = 1, pageSize = 20 } = query;
    const { rows, total } = await listReviews(storage.lists, state, { page, pageSize });
    const items = rows.map((row) => {
      const review = reviewOf(row);
      const scopes = review.scopes.map((scope) => ({ scope, risk: SCOPES[scope].risk }));
      return { ...review, scopes, reviewedBy: row.reviewedBy, app: appOf(row), owner: ownerOf(row) };
    });
    return { items, total, page, pageSize };
  },
};
