import { type EventType, success } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findSubscription } from "../../../domain/webhooks/subscription-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { EventParts } from "../../common/parts.ts";
import { eventTypeParam } from "./event-type-param.ts";

/**
 * The most concurrent verifications per application in this process: a receiver can keep each connection open as long
 * as it likes.
 */
const MAX_RUNNING = 5;

/** Whether a connection is open that gets the events, in the form of an attempt. */
async function verifySocket({ webhooks, clock }: EventParts, appId: string, eventType: EventType) {
  const isConnected = await webhooks.isConnected(appId, eventType);
  const attempt = {
    at: clock.now(),
    address: "socket",
    status: null,
    reason: isConnected ? null : "no-connection",
    detail: isConnected ? null : "No connection is open that gets these events.",
    durationMs: 0,
    phases: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    answer: "",
  };
  return { isConnected, attempt };
}

/**
 * POST apps/{appId}/subscriptions/{eventType}/verify (docs/contract/events.md#verifying-an-address). The only answer of
 * the console with an envelope.
 */
export function verifySubscription(): ConsoleRoute<typeof CONSOLE_ENDPOINTS.verifySubscription, EventParts> {
  const running = new Map<string, number>();
  return {
    endpoint: CONSOLE_ENDPOINTS.verifySubscription,
    async handle(ctx, call) {
      const { appId } = call.app;
      const subscription = await findSubscription(ctx.storage.db, appId, eventTypeParam(call.params));
      if (subscription === null) throw new ConsoleError("SUBSCRIPTION_NOT_FOUND");
      if (subscription.status !== "ACTIVE") throw new ConsoleError("SUBSCRIPTION_NOT_ACTIVE");

      const { callbackUrl } = subscription;
      if (callbackUrl === null) {
        const { isConnected, attempt } = await verifySocket(ctx, appId, subscription.eventType);
        return { ...success(isConnected, call.reqNo), attempt };
      }
      const others = running.get(appId) ?? 0;
      if (others >= MAX_RUNNING) throw new ConsoleError("VERIFICATIONS_TOO_MANY");
      running.set(appId, others + 1);
      try {
        const { passed, attempt } = await ctx.webhooks.verifyCallback(callbackUrl);
        return { ...success(passed, call.reqNo), attempt };
      } finally {
        const left = (running.get(appId) ?? 0) - 1;
        if (left > 0) running.set(appId, left);
        else running.delete(appId);
      }
    },
  };
}
