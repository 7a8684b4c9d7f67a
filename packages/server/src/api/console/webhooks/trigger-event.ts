import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findDelivery, withShownTime } from "../../../domain/webhooks/delivery-queries.ts";
import { MADE_UP_EVENTS } from "../../../domain/webhooks/made-up-events.ts";
import { emitTo, findListener } from "../../../domain/webhooks/outbox.ts";
import { Allowances } from "../../../platform/limits/allowances.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { TriggerParts } from "../parts.ts";
import { checkEventForType, eventTypeParam } from "./event-type-param.ts";
import { writeToOneself } from "./write-to-oneself.ts";

/** The most events of one application in a minute, in each process. */
const MAX_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
/** More than any made-up event takes. */
const EVENT_BYTES = 1_024;

/**
 * POST apps/{appId}/events/{eventType}/trigger: records a made-up event, and has it delivered like every other
 * (docs/contract/events.md#trying-it). Only in the test environment: what an application gets in production has happened.
 */
export function triggerEvent(): ConsoleRoute<typeof CONSOLE_ENDPOINTS.triggerEvent, TriggerParts> {
  const rates = new Allowances(MAX_PER_MINUTE, MINUTE_MS);
  return {
    endpoint: CONSOLE_ENDPOINTS.triggerEvent,
    stores: true,
    async handle(ctx, { app, developer, params, audit }) {
      if (ctx.config.environment === "production") throw new ConsoleError("TRIGGER_IN_PRODUCTION");
      const eventType = eventTypeParam(params);
      const { appId, tenantId, type } = app;
      checkEventForType(type, eventType);
      takeOne(rates, appId, ctx.clock.monotonic());
      ctx.ownerBounds.takeMessage({ type: "APP", id: appId }, EVENT_BYTES);
      const now = ctx.clock.now();
      const { delivery, written } = await ctx.storage.write(async (tx) => {
        const listener = await findListener(tx, appId, eventType);
        if (listener === null || listener.dropReason !== null) throw new ConsoleError("TRIGGER_HAS_NO_RECEIVER");
        const isMessage = eventType === "im.message.receive_v1";
        const written = isMessage ? await writeToOneself(tx, app, developer.developerId, now) : null;
        const payload = written?.payload ?? MADE_UP_EVENTS[eventType](now);
        const conversation = written?.conversationKey ?? null;
        const event = { eventType, payload, now, dueNow: ctx.webhooks.dueNow(), conversation };
        const eventId = await emitTo(tx, listener, event);
        const after = { eventType };
        await audit(tx, { action: "event.trigger", target: `event:${eventId}`, appId, tenantId, before: null, after });
        const delivery = await findDelivery(tx, appId, eventId);
        if (delivery === null) throw new Error("an event was not recorded");
        return { delivery, written };
      });
      if (written !== null) ctx.live.changed(written.conversationKey, written.msgSeq);
      ctx.webhooks.due(appId);
      return withShownTime(delivery, ctx.webhooks, null);
    },
  };
}

/** @throws ConsoleError 429 when the application has had its events of this minute. */
function takeOne(rates: Allowances, appId: string, now: number): void {
  const waitMs = rates.waitFor(appId, 1, now);
  if (waitMs > 0) throw new ConsoleError("TRIGGERS_TOO_MANY", { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
  rates.take(appId, 1, now);
}
