import type { AddRoute } from "../../common/console/console-route.ts";
import { approveReview } from "./approve-review.ts";
import { disableApp } from "./disable-app.ts";
import { enableApp } from "./enable-app.ts";
import { getApp } from "./get-app.ts";
import { getQuota } from "./get-quota.ts";
import { listApps } from "./list-apps.ts";
import { listReviews } from "./list-reviews.ts";
import { rejectReview } from "./reject-review.ts";
import { updateQuota } from "./update-quota.ts";

/** Operators' endpoints for applications. */
export function addOperatorAppRoutes(add: AddRoute): void {
  add(listReviews);
  add(approveReview);
  add(rejectReview);
  add(listApps);
  add(getApp);
  add(disableApp);
  add(enableApp);
  add(getQuota);
  add(updateQuota);
}
