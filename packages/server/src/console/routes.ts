import type { Context } from "../context.ts";
import { cancelRedeliveryJob } from "./cancel-redelivery-job.ts";
import { consoleApi } from "./console-route.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { readDeliveries } from "./read-deliveries.ts";
import { readDelivery } from "./read-delivery.ts";
import { readRedeliveryJob } from "./read-redelivery-job.ts";
import { readSubscriptions } from "./read-subscriptions.ts";
import { redeliverMany } from "./redeliver-many.ts";
import { redeliverOne } from "./redeliver-one.ts";
import { refresh } from "./refresh.ts";
import { subscribe } from "./subscribe.ts";
import { unsubscribe } from "./unsubscribe.ts";
import { verifySubscription } from "./verify-subscription.ts";

/** The developers' console API (spec.md, "Developer console API"; design, section 11). */
export function consoleRoutes(ctx: Context) {
  return consoleApi(ctx, (add) => {
    add(login);
    add(refresh);
    add(logout);
    add(readSubscriptions);
    add(subscribe);
    add(unsubscribe);
    add(verifySubscription());
    add(readDeliveries);
    add(readDelivery);
    add(redeliverOne);
    add(redeliverMany);
    add(readRedeliveryJob);
    add(cancelRedeliveryJob);
  });
}
