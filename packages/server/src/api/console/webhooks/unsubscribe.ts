import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { deleteSubscription, findSubscription } from "../../../domain/webhooks/subscription-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { EventParts } from "../../common/parts.ts";
import { eventTypeParam } from "./event-type-param.ts";

/** DELETE apps/{appId}/subscriptions/{eventType}. */
export const unsubscribe: ConsoleRoute<typeof CONSOLE_ENDPOINTS.unsubscribe, EventParts> = {
  endpoint: CONSOLE_ENDPOINTS.unsubscribe,
  async handle(ctx, call) {
    const { appId, tenantId } = call.app;
    const eventType = eventTypeParam(call.params);
    await ctx.storage.write(async (tx) => {
      const before = await findSubscription(tx, appId, eventType);
      if (before === null || !(await deleteSubscription(tx, appId, eventType))) {
        throw new ConsoleError("SUBSCRIPTION_NOT_FOUND");
      }
      await call.audit(tx, {
        action: "subscription.delete",
        target: `subscription:${eventType}`,
        appId,
        tenantId,
        before: { transport: before.transport, callbackUrl: before.callbackUrl, status: before.status },
        after: null,
      });
    });
    ctx.webhooks.subscriptionChanged(appId);
    return null;
  },
};
