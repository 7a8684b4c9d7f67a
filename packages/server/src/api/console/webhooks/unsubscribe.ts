import { deleteSubscription, findSubscription } from "../../../domain/webhooks/subscription-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import { type ConsoleRoute, NO_CONTENT } from "../../common/console/console-route.ts";
import { eventTypeParam } from "./event-type-param.ts";

/** DELETE apps/{appId}/subscriptions/{eventType}. */
export const unsubscribe: ConsoleRoute<never, never, typeof NO_CONTENT> = {
  method: "DELETE",
  url: "/apps/:appId/subscriptions/:eventType",
  summary: "Remove a webhook subscription; what is still to be delivered to it is dropped",
  access: "owner",
  value: NO_CONTENT,
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
        before: { callbackUrl: before.callbackUrl, status: before.status },
        after: null,
      });
    });
    return null;
  },
};
