import { consoleApi } from "../common/console/console-route.ts";
import type { Context } from "../common/context.ts";
import { addAppRoutes } from "./apps/routes.ts";
import { readAudit } from "./audit/list-audit.ts";
import { addInstallationRoutes } from "./installations/routes.ts";
import { readRequest } from "./requests/get-request.ts";
import { readStats } from "./requests/get-stats.ts";
import { readRequests } from "./requests/list-requests.ts";
import { generateQr } from "./sign-in/generate-qr.ts";
import { readMe } from "./sign-in/get-me.ts";
import { readQrStatus } from "./sign-in/get-qr-status.ts";
import { readSessions } from "./sign-in/list-sessions.ts";
import { login } from "./sign-in/login.ts";
import { logout } from "./sign-in/logout.ts";
import { refresh } from "./sign-in/refresh.ts";
import { revokeSession } from "./sign-in/revoke-session.ts";
import { addTemplateRoutes } from "./templates/routes.ts";
import { cancelRedeliveryJob } from "./webhooks/cancel-redelivery-job.ts";
import { readDelivery } from "./webhooks/get-delivery.ts";
import { readRedeliveryJob } from "./webhooks/get-redelivery-job.ts";
import { readDeliveries } from "./webhooks/list-deliveries.ts";
import { readSubscriptions } from "./webhooks/list-subscriptions.ts";
import { redeliverMany } from "./webhooks/redeliver-many.ts";
import { redeliverOne } from "./webhooks/redeliver-one.ts";
import { subscribe } from "./webhooks/subscribe.ts";
import { unsubscribe } from "./webhooks/unsubscribe.ts";
import { verifySubscription } from "./webhooks/verify-subscription.ts";

/** The developers' console API (docs/contract/console.md). */
export function consoleRoutes(ctx: Context) {
  return consoleApi(ctx, (add) => {
    add(login);
    add(refresh);
    add(logout);
    add(generateQr());
    add(readQrStatus);
    add(readMe);
    add(readSessions);
    add(revokeSession);
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
    addInstallationRoutes(add);
    addTemplateRoutes(add);
    addAppRoutes(add);
    add(readAudit);
    add(readRequests);
    add(readRequest);
    add(readStats);
  });
}
