import { DeliveriesQuerySchema, DeliveryListSchema } from "@portico/protocol/schemas";
import { countDeliveries, listDeliveries } from "../events/delivery-queries.ts";
import type { ConsoleRoute } from "./console-route.ts";

/** GET apps/{appId}/deliveries, newest first (design, section 7). */
export const readDeliveries: ConsoleRoute<never, typeof DeliveriesQuerySchema, typeof DeliveryListSchema> = {
  method: "GET",
  url: "/apps/:appId/deliveries",
  summary: "List an application's webhook deliveries",
  query: DeliveriesQuerySchema,
  access: "viewer",
  value: DeliveryListSchema,
  async handle(ctx, call) {
    const { page = 1, pageSize = 20, ...filter } = call.query;
    const { db } = ctx.storage;
    const { appId } = call.app;
    const total = await countDeliveries(db, appId, filter);
    const items = await listDeliveries(db, appId, filter, { page, pageSize });
    return { items, total, page, pageSize };
  },
};
