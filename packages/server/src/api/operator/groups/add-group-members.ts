import { GroupDetailSchema, GroupMembersBodySchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { changeGroupMembers, resolveMembers } from "./group-members.ts";

/** POST operator/groups/{groupId}/members: these beside those it has. */
export const postGroupMembers: ConsoleRoute<typeof GroupMembersBodySchema, never, typeof GroupDetailSchema> = {
  method: "POST",
  url: "/operator/groups/:groupId/members",
  summary: "Add members to a group",
  access: "operator",
  tenant: true,
  body: GroupMembersBodySchema,
  value: GroupDetailSchema,
  handle: (ctx, call) =>
    changeGroupMembers(ctx, call, async (tx, present) => {
      const joining = await resolveMembers(tx, call.tenantId, call.body.members);
      return new Set([...present, ...joining]);
    }),
};
