import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { LiveParts } from "../../common/parts.ts";
import { changeGroupMembers, resolveMembers } from "./group-members.ts";

/** POST operator/groups/{groupId}/members: adds members. */
export const addGroupMembers: ConsoleRoute<typeof OPERATOR_ENDPOINTS.addGroupMembers, LiveParts> = {
  endpoint: OPERATOR_ENDPOINTS.addGroupMembers,
  handle: (ctx, call) =>
    changeGroupMembers(ctx, call, async (tx, present) => {
      const joining = await resolveMembers(tx, call.tenantId, call.body.members);
      return new Set([...present, ...joining]);
    }),
};
