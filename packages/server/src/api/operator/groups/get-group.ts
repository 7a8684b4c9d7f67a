import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { getGroupDetail } from "./group-detail.ts";

/** GET operator/groups/{groupId}, in the header's tenant. */
export const getGroup: ConsoleRoute<typeof OPERATOR_ENDPOINTS.getGroup> = {
  endpoint: OPERATOR_ENDPOINTS.getGroup,
  handle: ({ storage }, { params, tenantId }) => getGroupDetail(storage.lists, tenantId, params.groupId),
};
