import type { GroupDetail } from "@portico/protocol";
import { findGroup } from "../../../domain/directory/group-store.ts";
import { listMembersOf } from "../../../domain/directory/member-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/**
 * A group of the tenant with its members.
 *
 * @throws ConsoleError 404 when the tenant has none with this id.
 */
export async function getGroupDetail(db: Db, tenantId: string, groupId: string): Promise<GroupDetail> {
  const group = await findGroup(db, tenantId, groupId);
  if (group === null) throw noSuchGroup();
  const members = await listMembersOf(db, groupId);
  return { ...group, memberCount: members.length, members };
}

export function noSuchGroup(): ConsoleError {
  return new ConsoleError("GROUP_NOT_FOUND");
}
