import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listSubscriptions as list } from "../../../domain/webhooks/subscription-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { EventParts } from "../../common/parts.ts";

/** GET apps/{appId}/subscriptions (docs/contract/events.md#subscribing). */
export const listSubscriptions: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listSubscriptions, EventParts> = {
  endpoint: CONSOLE_ENDPOINTS.listSubscriptions,
  async handle(ctx, call) {
    const { db } = ctx.storage;
    const { appId } = call.app;
    const circuitState = await ctx.webhooks.circuitState(appId);
    const subscriptions = await list(db, appId);
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
