import type { AddConsoleRoute } from "../../common/console/console-route.ts";
import type { OperatorContext } from "../parts.ts";
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
export function addOperatorAppRoutes(add: AddConsoleRoute<OperatorContext>): void {
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
