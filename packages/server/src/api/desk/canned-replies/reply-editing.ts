import { ApiError, DESK_BOUNDS, fault, type Member } from "@portico/protocol";
import type { Change } from "../../../domain/audit/audit-store.ts";
import type { ReplyEditing, ReplyRefusal } from "../../../domain/customer-service/canned-replies.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { agentAt } from "../desk-access.ts";
import type { DeskReadParts } from "../parts.ts";

/** The agent's right to change the replies of the application in the path. */
export async function editingBy(
  ctx: DeskReadParts,
  {
    member,
    params,
    audit,
  }: { member: Member; params: { appId: string }; audit(tx: Db, change: Change): Promise<void> },
): Promise<ReplyEditing> {
  const { appId } = await agentAt(ctx, ctx.storage.db, member, params.appId);
  const { userId: memberId, tenantId } = member;
  return { appId, tenantId, saver: { memberId, developerId: null }, now: ctx.clock.now(), audit };
}

/** @throws ApiError when the change was refused. */
export function accepted<Reply>(result: Reply | ReplyRefusal): Reply {
  if (result === "unknown") throw new ApiError("CANNED_REPLY_UNKNOWN");
  if (result === "taken") throw new ApiError("SHORTCUT_TAKEN");
  if (result === "too many") {
    throw new ApiError(fault("CANNED_REPLIES_TOO_MANY", { max: DESK_BOUNDS.cannedReplies }));
  }
  if (result === "too long") {
    throw new ApiError(fault("CANNED_REPLIES_TOO_LONG", { max: DESK_BOUNDS.cannedRepliesKib }));
  }
  return result;
}
