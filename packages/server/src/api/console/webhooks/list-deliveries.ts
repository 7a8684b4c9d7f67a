import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listDeliveries as list, withShownTime } from "../../../domain/webhooks/delivery-queries.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { KeyedQueue } from "../../common/console/keyed-queue.ts";
import type { EventParts } from "../../common/parts.ts";

/** Queued, because a call reads all of the application's deliveries, and there may be many. */
const queue = new KeyedQueue({ maxWaiting: 10 });

/** GET apps/{appId}/deliveries, newest first. */
export const listDeliveries: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listDeliveries, EventParts> = {
  endpoint: CONSOLE_ENDPOINTS.listDeliveries,
  async handle(ctx, call) {
    const { page = 1, pageSize = 20, ...filter } = call.query;
    const look = () => list(ctx.storage.lists, call.app.appId, filter, { page, pageSize });
    const { items, total } = await queue.run(ctx, call.developer, look);
    const openUntil = await ctx.webhooks.circuitOpenUntil(call.app.appId);
    return { items: items.map((item) => withShownTime(item, ctx.webhooks, openUntil)), total, page, pageSize };
  },
};
