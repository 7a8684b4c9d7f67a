import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listApps as list } from "../../../domain/applications/app-lists.ts";
import { appViewOf } from "../../../domain/applications/app-views.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps: the applications of all the developer's tenants, or of the named one, newest first. */
export const listApps: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listApps> = {
  endpoint: CONSOLE_ENDPOINTS.listApps,
  async handle({ storage }, { developer, tenantId, query }) {
    const { page = 1, pageSize = 20, ...asked } = query;
    const only = tenantId || developer.tenantId;
    const filter = { ...asked, developerId: developer.developerId, ...(only && { tenantId: only }) };
    const { rows, total } = await list(storage.lists, storage.dialect, filter, { page, pageSize });
    return { items: rows.map(appViewOf), total, page, pageSize };
  },
};
