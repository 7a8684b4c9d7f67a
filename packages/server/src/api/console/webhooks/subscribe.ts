import { randomBytes } from "node:crypto";
import { EVENT_SCOPES, type EventType, fault, type Scope } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { type ConsoleApp, hasOrRequested } from "../../../domain/applications/visible-app.ts";
import { statedOf } from "../../../domain/webhooks/attempts/callback-refusal.ts";
import { findSubscription, putSubscription, secretOwner } from "../../../domain/webhooks/subscription-store.ts";
import { AddressRefused, loopbackHostOf } from "../../../platform/network/address-guard.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { KeyedQueue } from "../../common/console/keyed-queue.ts";
import type { EventParts } from "../../common/parts.ts";
import type { SecretParts } from "../parts.ts";
import { checkEventForType, eventTypeParam } from "./event-type-param.ts";

const SECRET_BYTES = 32;
/** Sent when the resolver did not answer, so that the URL could not be checked. */
const RETRY_AFTER_SECONDS = 10;

/** Queued, because names that have not been looked up before share one thread, and a name may hang on purpose. */
const queue = new KeyedQueue({ maxWaiting: 10 });

/** PUT apps/{appId}/subscriptions/{eventType}: creates or replaces the subscription, always with a new secret. */
export const subscribe: ConsoleRoute<typeof CONSOLE_ENDPOINTS.subscribe, EventParts & SecretParts> = {
  endpoint: CONSOLE_ENDPOINTS.subscribe,
  async handle(ctx, call) {
    const { transport = "WEBHOOK", callbackUrl = null, status = "ACTIVE" } = call.body;
    const app = call.app;
    const eventType = eventTypeParam(call.params);
    await checkMaySubscribe(ctx.storage.db, app, eventType);
    if (transport === "SOCKET" && callbackUrl !== null) throw new ConsoleError("CALLBACK_AND_SOCKET");
    if (transport === "WEBHOOK") {
      if (callbackUrl === null) throw new ConsoleError("CALLBACK_MISSING");
      await queue.run(ctx, call.developer, () => checkCallback(ctx, callbackUrl));
    }

    const { appId } = app;
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const secretBox = ctx.secretBox.seal(secret, secretOwner(appId, eventType));
    await ctx.storage.write(async (tx) => {
      const before = await findSubscription(tx, appId, eventType);
      await putSubscription(tx, { appId, eventType, transport, callbackUrl, status, secretBox }, ctx.clock.now());
      await call.audit(tx, {
        action: "subscription.put",
        target: `subscription:${eventType}`,
        appId,
        tenantId: app.tenantId,
        before: before && { transport: before.transport, callbackUrl: before.callbackUrl, status: before.status },
        after: { transport, callbackUrl, status, secret: "rotated" },
      });
    });
    ctx.webhooks.subscriptionChanged(appId);
    return { credentialId: eventType, secret };
  },
};

/**
 * Checks that the application may receive these events: its type allows their scope, and the scope is granted or
 * requested; events without scope are for bots (docs/contract/events.md#subscribing).
 *
 * @throws ConsoleError 403.
 */
async function checkMaySubscribe(db: Db, { appId, type }: ConsoleApp, eventType: EventType): Promise<void> {
  checkEventForType(type, eventType);
  const scope: Scope | null = EVENT_SCOPES[eventType];
  if (scope !== null && !(await hasOrRequested(db, appId, scope))) {
    throw new ConsoleError(fault("EVENT_SCOPE_MISSING", { eventType, scope }));
  }
}

/** @throws ConsoleError 400 when the URL must not be called, 503 when that cannot be determined now. */
async function checkCallback({ webhooks }: EventParts, callbackUrl: string): Promise<void> {
  try {
    await webhooks.checkCallback(callbackUrl);
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    const { code, reason } = error;
    const here = code === "not-https" || code === "private-address" ? loopbackHostOf(callbackUrl) : null;
    if (here !== null)
      throw new ConsoleError(fault("CALLBACK_ON_THIS_MACHINE", { host: here }), { reason, cause: error });
    const mayBeGood = code === "lookup-timeout" || code === "lookups-busy";
    const options = { reason, cause: error, ...(mayBeGood && { retryAfterSeconds: RETRY_AFTER_SECONDS }) };
    throw new ConsoleError(statedOf(error), options);
  }
}
