import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findDeliveryWithAttempts, withShownTime } from "../../../domain/webhooks/delivery-queries.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { EventParts } from "../../common/parts.ts";

/** GET apps/{appId}/deliveries/{eventId}: with the event as sent, and its attempts. */
export const getDelivery: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getDelivery, EventParts> = {
  endpoint: CONSOLE_ENDPOINTS.getDelivery,
  async handle(ctx, call) {
    const { appId } = call.app;
    const delivery = await findDeliveryWithAttempts(ctx.storage.db, appId, call.params.eventId);
    if (delivery === null) throw new ConsoleError("DELIVERY_NOT_FOUND");
    return withShownTime(delivery, ctx.webhooks, await ctx.webhooks.circuitOpenUntil(appId));
  },
};
