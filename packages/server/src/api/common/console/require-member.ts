import { findMemberByUsername } from "../../../domain/directory/member-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "./console-error.ts";

/**
 * The tenant's member with this account, disabled or not.
 *
 * @throws ConsoleError 404 when there is none.
 */
export async function requireMember(db: Db, tenantId: string, username: string) {
  const member = await findMemberByUsername(db, tenantId, username);
  if (member === null) throw new ConsoleError("MEMBER_NOT_FOUND");
  return member;
}

/**
 * The tenant's enabled member with this account.
 *
 * @throws ConsoleError 404 when there is none, 409 when the account is disabled.
 */
export async function requireActiveMember(db: Db, tenantId: string, username: string) {
  const member = await requireMember(db, tenantId, username);
  if (member.disabled) throw new ConsoleError("MEMBER_DISABLED");
  return member;
}
