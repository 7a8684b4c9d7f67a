import type { AddRoute } from "../console/console-route.ts";
import { approveReview } from "./approve-review.ts";
import { disableApp } from "./disable-app.ts";
import { enableApp } from "./enable-app.ts";
import { readOperatorApp } from "./read-app.ts";
import { readOperatorApps } from "./read-apps.ts";
import { readOperatorQuota } from "./read-quota.ts";
import { readReviews } from "./read-reviews.ts";
import { rejectReview } from "./reject-review.ts";
import { setOperatorQuota } from "./set-quota.ts";

/** What operators do with applications. */
export function addOperatorAppRoutes(add: AddRoute): void {
  add(readReviews);
  add(approveReview);
  add(rejectReview);
  add(readOperatorApps);
  add(readOperatorApp);
  add(disableApp);
  add(enableApp);
  add(readOperatorQuota);
  add(setOperatorQuota);
}
