import { CreateGroupBodySchema, GroupDetailSchema } from "@portico/protocol/schemas";
import { addGroupMembers, insertGroup } from "../../../domain/directory/group-store.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { readGroupDetail } from "./group-detail.ts";
import { resolveMembers } from "./group-members.ts";

/** POST operator/groups, in the tenant that the header names. */
export const createGroup: ConsoleRoute<typeof CreateGroupBodySchema, never, typeof GroupDetailSchema> = {
  method: "POST",
  url: "/operator/groups",
  summary: "Add a group of a tenant's members",
  access: "operator",
  tenant: true,
  body: CreateGroupBodySchema,
  value: GroupDetailSchema,
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
    return await readGroupDetail(ctx.storage.db, tenantId, groupId);
  },
};
