import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listApps as list } from "../../../domain/applications/app-lists.ts";
import { operatorViewOf } from "../../../domain/applications/app-views.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/apps: all applications of the platform, newest first. */
export const listApps: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listApps> = {
  endpoint: OPERATOR_ENDPOINTS.listApps,
  async handle({ storage }, { query }) {
    const { page = 1, pageSize = 20, ...filter } = query;
    const { rows, total } = await list(storage.lists, storage.dialect, filter, { page, pageSize });
    return { items: rows.map(operatorViewOf), total, page, pageSize };
  },
};
