import { OperatorAppListSchema, OperatorAppsQuerySchema } from "@portico/protocol/schemas";
import { listApps } from "../../../domain/applications/app-lists.ts";
import { operatorViewOf } from "../../../domain/applications/app-views.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/apps: all applications of the platform, newest first. */
export const readOperatorApps: ConsoleRoute<never, typeof OperatorAppsQuerySchema, typeof OperatorAppListSchema> = {
  method: "GET",
  url: "/operator/apps",
  summary: "List all applications",
  query: OperatorAppsQuerySchema,
  access: "operator",
  value: OperatorAppListSchema,
  async handle({ storage }, { query }) {
    const { page = 1, pageSize = 20, ...filter } = query;
    const { rows, total } = await listApps(storage.lists, storage.dialect, filter, { page, pageSize });
    return { items: rows.map(operatorViewOf), total, page, pageSize };
  },
};
