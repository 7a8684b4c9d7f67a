import { DirectoryQuerySchema, TenantListSchema } from "@portico/protocol/schemas";
import { listTenants } from "../../../domain/directory/tenant-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/tenants. */
export const readTenants: ConsoleRoute<never, typeof DirectoryQuerySchema, typeof TenantListSchema> = {
  method: "GET",
  url: "/operator/tenants",
  summary: "List the tenants",
  access: "operator",
  query: DirectoryQuerySchema,
  value: TenantListSchema,
  async handle({ storage }, { query }) {
    const { keyword = "", page = 1, pageSize = 20 } = query;
    const found = await listTenants(storage.lists, storage.dialect, { keyword, page, pageSize });
    return { ...found, page, pageSize };
  },
};
