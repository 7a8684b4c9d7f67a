import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listTenants as list } from "../../../domain/directory/tenant-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/tenants. */
export const listTenants: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listTenants> = {
  endpoint: OPERATOR_ENDPOINTS.listTenants,
  async handle({ storage }, { query }) {
    const { keyword = "", page = 1, pageSize = 20 } = query;
    const found = await list(storage.lists, storage.dialect, { keyword, page, pageSize });
    return { ...found, page, pageSize };
  },
};
