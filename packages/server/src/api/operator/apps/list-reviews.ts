import { SCOPES } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listReviews as list } from "../../../domain/applications/app-lists.ts";
import { appOf, ownerOf, reviewOf } from "../../../domain/applications/app-views.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/reviews: waiting ones oldest first, all others newest first. */
export const listReviews: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listReviews> = {
  endpoint: OPERATOR_ENDPOINTS.listReviews,
  async handle({ storage }, { query }) {
    const { state = "PENDING", page = 1, pageSize = 20 } = query;
    const { rows, total } = await list(storage.lists, state, { page, pageSize });
    const items = rows.map((row) => {
      const review = reviewOf(row);
      const scopes = review.scopes.map((scope) => ({ scope, risk: SCOPES[scope].risk }));
      return { ...review, scopes, reviewedBy: row.reviewedBy, app: appOf(row), owner: ownerOf(row) };
    });
    return { items, total, page, pageSize };
  },
};
