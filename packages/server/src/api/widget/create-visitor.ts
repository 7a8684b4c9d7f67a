import { ApiError } from "@portico/protocol";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { findWidget } from "../../domain/applications/widget-store.ts";
import { AnonymousAllowance } from "../../domain/customer-service/anonymous-allowance.ts";
import { createAnonymousVisitor, renewAnonymousVisitor } from "../../domain/customer-service/anonymous-visitors.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import type { SiteRoute } from "./site-route.ts";

/**
 * POST /api/widget/v1/visitors: a visitor whom the site does not name gets a token; with the key of an earlier call, the
 * same visitor a further one, also after the owner has ceased to take new ones.
 */
export function createVisitor(): SiteRoute<typeof WIDGET_ENDPOINTS.createVisitor> {
  const allowance = new AnonymousAllowance();
  return {
    endpoint: WIDGET_ENDPOINTS.createVisitor,
    namesItsSite: true,
    appIdOf: ({ body }) => body.appId,
    async handle({ storage, clock }, { app: { appId }, body: { visitorKey }, address }) {
      const now = clock.now();
      const from = addressBlock(address);
      if (typeof visitorKey === "string") {
        refuseBeyond(allowance.takeRenewal(from, now));
        return await storage.write((tx) => renewAnonymousVisitor(tx, { appId, visitorKey, now }));
      }
      const { anonymousVisitors, widget } = await findWidget(storage.db, appId);
      if (!anonymousVisitors) throw new ApiError("ANONYMOUS_VISITORS_REFUSED");
      refuseBeyond(allowance.takeNew(from, appId, now));
      return await storage.write((tx) => createAnonymousVisitor(tx, { appId, locale: widget.locale, now }));
    },
  };
}

/** @throws ApiError 429001 unless the allowance has room. */
function refuseBeyond(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds !== null) throw new ApiError("ANONYMOUS_VISITORS_TOO_MANY", { retryAfterSeconds });
}
