import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listMembers as list } from "../../../domain/directory/member-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/members, in the header's tenant. */
export const listMembers: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listMembers> = {
  endpoint: OPERATOR_ENDPOINTS.listMembers,
  async handle({ storage }, { query, tenantId }) {
    const { keyword = "", page = 1, pageSize = 20 } = query;
    const found = await list(storage.lists, storage.dialect, tenantId, { keyword, page, pageSize });
    return { ...found, page, pageSize };
  },
};
