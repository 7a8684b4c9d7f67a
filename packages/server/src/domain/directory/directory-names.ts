import { BOUNDS } from "@portico/protocol";
import { CreateMemberBodySchema } from "@portico/protocol/schemas";
import { Compile } from "typebox/compile";
import type { Db } from "../../platform/storage/schema.ts";
import { foldCase } from "./fold-case.ts";
import { findMemberByUsername } from "./member-store.ts";

const isUsername = Compile(CreateMemberBodySchema.properties.username);
const MAX_LENGTH = 256;

/** Whether members can have this user name. */
export function isOwnUsername(name: string): boolean {
  return name.length <= BOUNDS.idLength && isUsername.Check(name);
}

/** Whether a directory or a provider may call somebody so (RFC 7643, section 4.1.1: any text). */
export function isDirectoryName(name: string): boolean {
  return name.length <= MAX_LENGTH && /[A-Za-z\d]/.test(name) && !/[\p{Cc}\p{Surrogate}]/u.test(name);
}

/**
 * The user name of whom a directory calls `name`: the same, if members can have it. Otherwise each character that they cannot have
 * is a hyphen, and an underscore stands before what cannot be the first: `ann_contoso.com#EXT#@acme.example` is
 * `ann_contoso.com-EXT-@acme.example`. Null when that is none either.
 */
export function usernameOf(name: string): string | null {
  // The two characters that are letters of a to z but for their case.
  const plain = name.replaceAll("\u212a", "K").replaceAll("\u017f", "s");
  const fitted = plain.replace(/[^A-Za-z\d._@-]/gu, "-").replace(/^(?=[.@-])/, "_");
  return isDirectoryName(name) && isOwnUsername(fitted) ? fitted : null;
}

/**
 * The userId of the tenant's member whom a directory or a provider calls so, in any case. Where a directory has said how it calls a member, only
 * that counts, and not the user name that was made of it: two names may make the same one.
 */
export async function findMemberOfName(
  db: Db,
  tenantId: string,
  name: string,
): Promise<{ userId: string } | "other" | null> {
  const own = usernameOf(name);
  if (own === null) return null;
  const member = await findMemberByUsername(db, tenantId, own);
  if (member === null) return null;
  const row = await db
    .selectFrom("scim_users")
    .select("user_name as name")
    .where("user_id", "=", member.userId)
    .executeTakeFirst();
  return foldCase(row?.name ?? member.username) === foldCase(name) ? { userId: member.userId } : "other";
}
