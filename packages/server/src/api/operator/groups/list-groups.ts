import { DirectoryQuerySchema, GroupListSchema } from "@portico/protocol/schemas";
import { listGroups } from "../../../domain/directory/group-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/groups, of the tenant that the header names. */
export const readGroups: ConsoleRoute<never, typeof DirectoryQuerySchema, typeof GroupListSchema> = {
  method: "GET",
  url: "/operator/groups",
  summary: "List a tenant's groups",
  access: "operator",
  tenant: true,
  query: DirectoryQuerySchema,
  value: GroupListSchema,
  async handle({ storage }, { query, tenantId }) {
    const { keyword = "", page = 1, pageSize = 20 } = query;
    const found = await listGroups(storage.lists, storage.dialect, tenantId, { keyword, page, pageSize });
    return { ...found, page, pageSize };
  },
};
