import type { DeliveryState } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { laneOf } from "../../../domain/webhooks/delivery-lane.ts";
import { findDelivery, withShownTime } from "../../../domain/webhooks/delivery-queries.ts";
import { redeliver } from "../../../domain/webhooks/redelivery/redelivery.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { EventParts } from "../../common/parts.ts";

/** POST apps/{appId}/deliveries/{eventId}/redeliver: returns the delivery in its new state. */
export const redeliverOne: ConsoleRoute<typeof CONSOLE_ENDPOINTS.redeliverOne, EventParts> = {
  endpoint: CONSOLE_ENDPOINTS.redeliverOne,
  async handle(ctx, call) {
    const { appId, tenantId } = call.app;
    const { eventId } = call.params;
    const delivery = await ctx.storage.write(async (tx) => {
      const redelivered = await redeliver(tx, appId, [eventId], ctx.webhooks.dueNow());
      const found = await findDelivery(tx, appId, eventId);
      if (found === null) throw new ConsoleError("DELIVERY_NOT_FOUND");
      if (redelivered === 0) throw new ConsoleError(whyNot(found.status));
      await call.audit(tx, {
        action: "delivery.redeliver",
        target: `event:${eventId}`,
        appId,
        tenantId,
        before: null,
        after: { redelivered },
      });
      return found;
    }, laneOf(appId));
    ctx.webhooks.due(appId);
    return withShownTime(delivery, ctx.webhooks, null);
  },
};

function whyNot(status: DeliveryState): "DELIVERY_DROPPED" | "DELIVERY_HAS_NO_RECEIVER" {
  return status === "DROPPED" ? "DELIVERY_DROPPED" : "DELIVERY_HAS_NO_RECEIVER";
}
