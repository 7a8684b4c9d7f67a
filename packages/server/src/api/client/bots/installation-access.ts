import { ApiError, type InstallationBody, type Member } from "@portico/protocol";
import { isGroupMember } from "../../../domain/directory/group-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";

/**
 * Whether a member may install and uninstall at a target: in their groups, and for themselves.
 *
 * @throws ApiError 400008; the answer does not tell a foreign target from none.
 */
export async function checkInstallationTarget(
  db: Db,
  member: Member,
  { targetType, targetId }: InstallationBody,
): Promise<void> {
  const isTheirs =
    targetType === "USER" ? targetId === member.userId : await isGroupMember(db, targetId, member.userId);
  if (!isTheirs) throw new ApiError("INSTALL_TARGET_FORBIDDEN");
}
