import type { GroupDetail } from "@portico/protocol";
import { ConsoleError } from "../console/console-error.ts";
import { findGroup } from "../directory/group-store.ts";
import { listMembersOf } from "../directory/member-store.ts";
import type { Db } from "../storage/schema.ts";

/**
 * A group of the tenant with its members.
 *
 * @throws ConsoleError 404 when the tenant has none with this id.
 */
export async function readGroupDetail(db: Db, tenantId: string, groupId: string): Promise<GroupDetail> {
  const group = await findGroup(db, tenantId, groupId);
  if (group === null) throw noSuchGroup();
  const members = await listMembersOf(db, groupId);
  return { ...group, memberCount: members.length, members };
}

export function noSuchGroup(): ConsoleError {
  return new ConsoleError("GROUP_NOT_FOUND");
}
