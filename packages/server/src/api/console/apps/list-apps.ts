import { AppsQuerySchema, ConsoleAppListSchema } from "@portico/protocol/schemas";
import { listApps } from "../../../domain/applications/app-lists.ts";
import { appViewOf } from "../../../domain/applications/app-views.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps: those of all the developer's tenants, or of the one that is named; newest first. */
export const readApps: ConsoleRoute<never, typeof AppsQuerySchema, typeof ConsoleAppListSchema> = {
  method: "GET",
  url: "/apps",
  summary: "List the applications of the developer's tenants",
  query: AppsQuerySchema,
  access: "developer",
  tenant: "optional",
  value: ConsoleAppListSchema,
  async handle({ storage }, { developer, tenantId, query }) {
    const { page = 1, pageSize = 20, ...asked } = query;
    const filter = { ...asked, developerId: developer.developerId, ...(tenantId !== "" && { tenantId }) };
    const { rows, total } = await listApps(storage.lists, storage.dialect, filter, { page, pageSize });
    return { items: rows.map(appViewOf), total, page, pageSize };
  },
};
