import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { LiveParts } from "../../common/parts.ts";
import { changeGroupMembers } from "./group-members.ts";

/** DELETE operator/groups/{groupId}/members/{userId}. */
export const removeGroupMember: ConsoleRoute<typeof OPERATOR_ENDPOINTS.removeGroupMember, LiveParts> = {
  endpoint: OPERATOR_ENDPOINTS.removeGroupMember,
  handle: (ctx, call) =>
    changeGroupMembers(ctx, call, async (_tx, present) => {
      const { userId } = call.params;
      if (!present.has(userId)) throw new ConsoleError("GROUP_MEMBER_NOT_FOUND");
      return new Set([...present].filter((other) => other !== userId));
    }),
};
