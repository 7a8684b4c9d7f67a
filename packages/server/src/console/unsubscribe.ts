import { deleteSubscription } from "../events/subscription-store.ts";
import { ownApp } from "./app-access.ts";
import { ConsoleError } from "./console-error.ts";
import { type ConsoleRoute, NO_CONTENT } from "./console-route.ts";
import { eventTypeParam } from "./event-type-param.ts";

/** DELETE apps/{appId}/subscriptions/{eventType} (design, section 11). */
export const unsubscribe: ConsoleRoute<never, never, typeof NO_CONTENT> = {
  method: "DELETE",
  url: "/apps/:appId/subscriptions/:eventType",
  summary: "Remove a webhook subscription; what is still to be delivered to it is dropped",
  value: NO_CONTENT,
  async handle(ctx, call) {
    const { appId } = await ownApp(ctx.storage.db, call);
    const eventType = eventTypeParam(call.params);
    const existed = await ctx.storage.write((tx) => deleteSubscription(tx, appId, eventType));
    if (!existed) throw new ConsoleError(404, "订阅不存在");
    return null;
  },
};
