import type { AddRoute } from "../../common/console/console-route.ts";
import { approveReview } from "./approve-review.ts";
import { disableApp } from "./disable-app.ts";
import { enableApp } from "./enable-app.ts";
import { readOperatorApp } from "./get-app.ts";
import { readOperatorQuota } from "./get-quota.ts";
import { readOperatorApps } from "./list-apps.ts";
import { readReviews } from "./list-reviews.ts";
import { rejectReview } from "./reject-review.ts";
import { setOperatorQuota } from "./update-quota.ts";

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
