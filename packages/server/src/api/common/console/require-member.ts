import { findMemberByUsername } from "../../../domain/directory/member-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { ConsoleError } from "./console-error.ts";

/**
 * The member of the tenant whose account a call names, shut out or not.
 *
 * @throws ConsoleError 404 when there is none.
 */
export async function requireMember(db: Db, tenantId: string, username: string) {
  const member = await findMemberByUsername(db, tenantId, username);
  if (member === null) throw new ConsoleError("MEMBER_NOT_FOUND");
  return member;
}

/**
 * The same, for what only a member can be given who is not shut out.
 *
 * @throws ConsoleError 404 when there is none, 409 when they are shut out.
 */
export async function requireActiveMember(db: Db, tenantId: string, username: string) {
  const member = await requireMember(db, tenantId, username);
  if (member.disabled) throw new ConsoleError("MEMBER_DISABLED");
  return member;
}
