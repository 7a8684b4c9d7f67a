import type { FastifyInstance } from "fastify";
import { consoleApi } from "../common/console/console-route.ts";
import { signInPages } from "../common/oidc/sign-in-pages.ts";
import { addAccountRoutes } from "./account/routes.ts";
import { addAppRoutes } from "./apps/routes.ts";
import { listAudit } from "./audit/list-audit.ts";
import { addCustomerServiceRoutes } from "./customer-service/routes.ts";
import { addInstallationRoutes } from "./installations/routes.ts";
import type { ConsoleContext } from "./parts.ts";
import { armRehearsal } from "./rehearsals/arm-rehearsal.ts";
import { endRehearsal } from "./rehearsals/end-rehearsal.ts";
import { getRehearsal } from "./rehearsals/get-rehearsal.ts";
import { getRequest } from "./requests/get-request.ts";
import { getStats } from "./requests/get-stats.ts";
import { listRequests } from "./requests/list-requests.ts";
import { generateQr } from "./sign-in/generate-qr.ts";
import { getMe } from "./sign-in/get-me.ts";
import { getQrStatus } from "./sign-in/get-qr-status.ts";
import { getSignInMethods } from "./sign-in/get-sign-in-methods.ts";
import { listSessions } from "./sign-in/list-sessions.ts";
import { login } from "./sign-in/login.ts";
import { logout } from "./sign-in/logout.ts";
import { developerSignInPages } from "./sign-in/oidc-pages.ts";
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
import { triggerEvent } from "./webhooks/trigger-event.ts";
import { unsubscribe } from "./webhooks/unsubscribe.ts";
import { verifySubscription } from "./webhooks/verify-subscription.ts";

/** The developers' console API (docs/contract/console.md). */
export function consoleRoutes(ctx: ConsoleContext) {
  return async (server: FastifyInstance) => {
    await server.register(consoleCalls(ctx));
    await server.register(signInPages(ctx, developerSignInPages(ctx)));
  };
}

function consoleCalls(ctx: ConsoleContext) {
  return consoleApi(ctx, (add) => {
    add(getSignInMethods);
    add(login);
    add(refresh);
    add(logout);
    add(generateQr());
    add(getQrStatus);
    add(getMe);
    add(listSessions);
    add(revokeSession);
    addAccountRoutes(add);
    add(listSubscriptions);
    add(subscribe);
    add(unsubscribe);
    add(verifySubscription());
    add(triggerEvent());
    add(listDeliveries);
    add(getDelivery);
    add(redeliverOne);
    add(redeliverMany);
    add(getRedeliveryJob);
    add(cancelRedeliveryJob);
    addInstallationRoutes(add);
    addCustomerServiceRoutes(add);
    addTemplateRoutes(add);
    addAppRoutes(add);
    add(getRehearsal);
    add(armRehearsal);
    add(endRehearsal);
    add(listAudit);
    add(listRequests);
    add(getRequest);
    add(getStats);
  });
}
