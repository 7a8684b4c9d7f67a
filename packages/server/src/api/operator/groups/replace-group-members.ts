import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import type { LiveParts } from "../../common/parts.ts";
import { changeGroupMembers, resolveMembers } from "./group-members.ts";

/** PUT operator/groups/{groupId}/members: replaces all members. */
export const replaceGroupMembers: ConsoleRoute<typeof OPERATOR_ENDPOINTS.replaceGroupMembers, LiveParts> = {
  endpoint: OPERATOR_ENDPOINTS.replaceGroupMembers,
  handle: (ctx, call) => changeGroupMembers(ctx, call, (tx) => resolveMembers(tx, call.tenantId, call.body.members)),
};
