import { consoleApi } from "../common/console/console-route.ts";
import { addAppRoutes } from "./apps/routes.ts";
import { listAudit } from "./audit/list-audit.ts";
import { addInstallationRoutes } from "./installations/routes.ts";
import type { ConsoleContext } from "./parts.ts";
import { getRequest } from "./requests/get-request.ts";
import { getStats } from "./requests/get-stats.ts";
import { listRequests } from "./requests/list-requests.ts";
import { generateQr } from "./sign-in/generate-qr.ts";
import { getMe } from "./sign-in/get-me.ts";
import { getQrStatus } from "./sign-in/get-qr-status.ts";
import { listSessions } from "./sign-in/list-sessions.ts";
import { login } from "./sign-in/login.ts";
import { logout } from "./sign-in/logout.ts";
import { refresh } from "./sign-in/refresh.ts";
import { revokeSession } from "./sign-in/revoke-session.ts";
import { addTemplateRoutes } from "./templates/routes.ts";
import { cancelRedeliveryJob } from "./webhooks/cancel-redelivery-job.ts";
import { getDelivery } from "./webhooks/get-delivery.ts";
import { getRedeliveryJob } from "./webhooks/get-redelivery-job.ts";
import { listDeliveries } from "./webhooks/list-deliveries.ts";
import { listSubscriptions } from "./webhooks/list-subscriptions.ts";
import { redeliverMany } from "./webhooks/redeliver-many.ts";
import { redeliverOne } from "./webhooks/redeliver-one.ts";
import { subscribe } from "./webhooks/subscribe.ts";
import { unsubscribe } from "./webhooks/unsubscribe.ts";
import { verifySubscription } from "./webhooks/verify-subscription.ts";

/** The developers' console API (docs/contract/console.md). */
export function consoleRoutes(ctx: ConsoleContext) {
  return consoleApi(ctx, (add) => {
    add(login);
    add(refresh);
    add(logout);
    add(generateQr());
    add(getQrStatus);
    add(getMe);
    add(listSessions);
    add(revokeSession);
    add(listSubscriptions);
    add(subscribe);
    add(unsubscribe);
    add(verifySubscription());
    add(listDeliveries);
    add(getDelivery);
    add(redeliverOne);
    add(redeliverMany);
    add(getRedeliveryJob);
    add(cancelRedeliveryJob);
    addInstallationRoutes(add);
    addTemplateRoutes(add);
    addAppRoutes(add);
    add(listAudit);
    add(listRequests);
    add(getRequest);
    add(getStats);
  });
}
