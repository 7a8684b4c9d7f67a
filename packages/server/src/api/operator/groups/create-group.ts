import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { addGroupMembers, insertGroup } from "../../../domain/directory/group-store.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { LiveParts } from "../../common/parts.ts";
import { getGroupDetail } from "./group-detail.ts";
import { resolveMembers } from "./group-members.ts";

/** POST operator/groups, in the header's tenant. */
export const createGroup: ConsoleRoute<typeof OPERATOR_ENDPOINTS.createGroup, LiveParts> = {
  endpoint: OPERATOR_ENDPOINTS.createGroup,
  async handle(ctx, { audit, body, tenantId }) {
    const { name, members: accounts = [], groupId = newId("g") } = body;
    const members = await ctx.storage.write(async (tx) => {
      const userIds = [...(await resolveMembers(tx, tenantId, accounts))];
      if (!(await insertGroup(tx, tenantId, { groupId, name }))) throw new ConsoleError("GROUP_ID_TAKEN");
      await addGroupMembers(tx, groupId, userIds);
      await audit(tx, {
        action: "group.create",
        target: `group:${groupId}`,
        tenantId,
        before: null,
        after: { groupId, name, members: userIds },
      });
      return userIds;
    });
    for (const userId of members) ctx.live.conversationsChanged(userId);
    return await getGroupDetail(ctx.storage.db, tenantId, groupId);
  },
};
