import { DeliverySchema } from "@portico/protocol/schemas";
import { findDelivery } from "../events/delivery-queries.ts";
import { laneOf } from "../events/dispatcher.ts";
import { redeliver } from "../events/redelivery.ts";
import { ownApp } from "./app-access.ts";
import { ConsoleError } from "./console-error.ts";
import type { ConsoleRoute } from "./console-route.ts";

/** POST apps/{appId}/deliveries/{eventId}/redeliver: answers with the delivery as it is then (design, section 7). */
export const redeliverOne: ConsoleRoute<never, never, typeof DeliverySchema> = {
  method: "POST",
  url: "/apps/:appId/deliveries/:eventId/redeliver",
  summary: "Deliver an event again, under the same event id",
  value: DeliverySchema,
  async handle(ctx, call) {
    const { appId } = await ownApp(ctx.storage.db, call);
    const { eventId = "" } = call.params;
    const delivery = await ctx.storage.write(async (tx) => {
      const redelivered = await redeliver(tx, appId, [eventId], ctx.clock.now());
      const found = await findDelivery(tx, appId, eventId);
      if (found === null) throw new ConsoleError(404, "投递记录不存在");
      if (redelivered === 0) throw new ConsoleError(409, "事件产生或投递时没有生效的订阅,已被丢弃,不能重新投递");
      return found;
    }, laneOf(appId));
    ctx.webhooks.due(appId);
    return delivery;
  },
};
