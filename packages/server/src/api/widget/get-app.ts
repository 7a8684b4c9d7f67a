import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { findWidget } from "../../domain/applications/widget-store.ts";
import { isAnyAgentOnline } from "../../domain/customer-service/agent-store.ts";
import { isOpenAt } from "../../domain/customer-service/opening-hours.ts";
import type { SiteRoute } from "./site-route.ts";

/** GET /api/widget/v1/apps/{appId}: how its widget looks, and whether somebody answers. */
export const getApp: SiteRoute<typeof WIDGET_ENDPOINTS.getApp> = {
  endpoint: WIDGET_ENDPOINTS.getApp,
  appIdOf: ({ params }) => params.appId,
  siteOf: ({ query }) => query.site,
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
