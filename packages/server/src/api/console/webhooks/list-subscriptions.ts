import { SubscriptionListSchema } from "@portico/protocol/schemas";
import { listSubscriptions } from "../../../domain/webhooks/subscription-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/subscriptions (docs/contract/events.md#subscribing). */
export const readSubscriptions: ConsoleRoute<never, never, typeof SubscriptionListSchema> = {
  method: "GET",
  url: "/apps/:appId/subscriptions",
  summary: "List an application's webhook subscriptions",
  access: "viewer",
  value: SubscriptionListSchema,
  async handle(ctx, call) {
    const { db } = ctx.storage;
    const { appId } = call.app;
    const circuitState = await ctx.coordination.circuits.stateOf(appId, ctx.clock.now());
    const subscriptions = await listSubscriptions(db, appId);
    return subscriptions.map(({ eventType, callbackUrl, status, failureCount, updatedAt }) => ({
      eventType,
      callbackUrl,
      status,
      failureCount,
      circuitState,
      updatedAt,
    }));
  },
};
