import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listGroups as list } from "../../../domain/directory/group-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/groups, in the header's tenant. */
export const listGroups: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listGroups> = {
  endpoint: OPERATOR_ENDPOINTS.listGroups,
  async handle({ storage }, { query, tenantId }) {
    const { keyword = "", page = 1, pageSize = 20 } = query;
    const found = await list(storage.lists, storage.dialect, tenantId, { keyword, page, pageSize });
    return { ...found, page, pageSize };
  },
};
