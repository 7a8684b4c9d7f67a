import { ApiError, type InstallationBody, type Member } from "@portico/protocol";
import { isGroupMember } from "../../../domain/directory/group-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";

/**
 * Checks that a member may install and uninstall at a target: their own groups, and themselves.
 *
 * @throws ApiError 400008; the same for a foreign target and for one that does not exist.
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
