import { GroupDetailSchema } from "@portico/protocol/schemas";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { changeGroupMembers } from "./group-members.ts";

/** DELETE operator/groups/{groupId}/members/{userId}. */
export const removeGroupMember: ConsoleRoute<never, never, typeof GroupDetailSchema> = {
  method: "DELETE",
  url: "/operator/groups/:groupId/members/:userId",
  summary: "Remove a member from a group",
  access: "operator",
  tenant: true,
  value: GroupDetailSchema,
  handle: (ctx, call) =>
    changeGroupMembers(ctx, call, async (_tx, present) => {
      const { userId = "" } = call.params;
      if (!present.has(userId)) throw new ConsoleError("GROUP_MEMBER_NOT_FOUND");
      return new Set([...present].filter((other) => other !== userId));
    }),
};
