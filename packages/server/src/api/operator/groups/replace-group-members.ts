import { GroupDetailSchema, GroupMembersBodySchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { changeGroupMembers, resolveMembers } from "./group-members.ts";

/** PUT operator/groups/{groupId}/members: these and no others. */
export const putGroupMembers: ConsoleRoute<typeof GroupMembersBodySchema, never, typeof GroupDetailSchema> = {
  method: "PUT",
  url: "/operator/groups/:groupId/members",
  summary: "Say who the members of a group are",
  access: "operator",
  tenant: true,
  body: GroupMembersBodySchema,
  value: GroupDetailSchema,
  handle: (ctx, call) => changeGroupMembers(ctx, call, (tx) => resolveMembers(tx, call.tenantId, call.body.members)),
};
