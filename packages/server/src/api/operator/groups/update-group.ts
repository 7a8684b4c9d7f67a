import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { differencesOf } from "../../../domain/audit/differences.ts";
import { lockGroup, renameGroup } from "../../../domain/directory/group-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { getGroupDetail, noSuchGroup } from "./group-detail.ts";

/** PATCH operator/groups/{groupId}, in the header's tenant. */
export const updateGroup: ConsoleRoute<typeof OPERATOR_ENDPOINTS.updateGroup> = {
  endpoint: OPERATOR_ENDPOINTS.updateGroup,
  async handle({ storage }, { audit, body, params, tenantId }) {
    const { groupId } = params;
    await storage.write(async (tx) => {
      const group = await lockGroup(tx, tenantId, groupId);
      if (group === null) throw noSuchGroup();
      const differences = differencesOf(group, body);
      if (differences === null) return;
      await renameGroup(tx, { ...group, ...differences.after });
      await audit(tx, { action: "group.update", target: `group:${groupId}`, tenantId, ...differences });
    });
    return await getGroupDetail(storage.db, tenantId, groupId);
  },
};
