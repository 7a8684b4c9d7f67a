import { ApiError } from "@portico/protocol";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { findWidget } from "../../domain/applications/widget-store.ts";
import { isAnyAgentOnline } from "../../domain/customer-service/agent-store.ts";
import { isOpenAt } from "../../domain/customer-service/opening-hours.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import { growingLru } from "../../platform/limits/growing-lru.ts";
import { TokenBucket } from "../../platform/limits/token-bucket.ts";
import type { SiteRoute } from "./site-route.ts";

/** Each page view on a site asks once, of everybody in an office behind one address. */
const PER_ADDRESS = { capacity: 300, perSecond: 20 };
/** The most addresses remembered by last use. */
const MAX_REMEMBERED = 10_000;

/**
 * GET /api/widget/v1/apps/{appId}: how its widget looks, and whether somebody answers. Anybody may ask, and is counted by
 * address.
 */
export function getApp(): SiteRoute<typeof WIDGET_ENDPOINTS.getApp> {
  const addresses = growingLru<TokenBucket>(MAX_REMEMBERED);
  return {
    endpoint: WIDGET_ENDPOINTS.getApp,
    appIdOf: ({ params }) => params.appId,
    siteOf: ({ query }) => query.site,
    admit({ clock }, { address }) {
      const block = addressBlock(address);
      const bucket = addresses.get(block) ?? new TokenBucket(PER_ADDRESS);
      addresses.set(block, bucket);
      if (!bucket.tryConsume(1, clock.monotonic()))
        throw new ApiError("WIDGET_ASKED_TOO_OFTEN", { retryAfterSeconds: 1 });
    },
    async handle({ storage, clock }, { app: { appId, displayName } }) {
      const now = clock.now();
      const { anonymousVisitors, widget } = await findWidget(storage.db, appId);
      const agentsOnline = await isAnyAgentOnline(storage.db, appId, now);
      return {
        appId,
        name: displayName,
        anonymousVisitors,
        isOpen: isOpenAt(widget.openingHours, now),
        agentsOnline,
        widget,
      };
    },
  };
}
