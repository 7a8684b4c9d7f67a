import { createHash } from "node:crypto";
import type { LinkedIdentity } from "@portico/protocol/schemas";
import type { Db } from "../../../platform/storage/schema.ts";
import { findWhoseWord, markVouched } from "../../directory/whose-word.ts";

interface Row {
  issuer: string;
  subject: string;
  createdAt: number;
}

/** Names an identity in a path: a person has at most one of each issuer, whose address would need escapes. */
function identityIdOf(issuer: string): string {
  return `idn_${createHash("sha256").update(issuer).digest("base64url").slice(0, 16)}`;
}

function toIdentity(row: Row): LinkedIdentity {
  return { identityId: identityIdOf(row.issuer), ...row };
}

const columns = ["issuer", "subject", "created_at as createdAt"] as const;

/** Who a member is to their providers, oldest first. */
export async function listMemberIdentities(db: Db, userId: string): Promise<LinkedIdentity[]> {
  const rows = await db.selectFrom("member_identities").select(columns).where("user_id", "=", userId).execute();
  return rows.sort((a, b) => a.createdAt - b.createdAt).map(toIdentity);
}

/**
 * Parts the member from an identity; null when they have none such. The provider goes on vouching for them, also where only the
 * identity has told so.
 */
export async function unlinkMemberIdentity(tx: Db, userId: string, identityId: string): Promise<LinkedIdentity | null> {
  const found = (await listMemberIdentities(tx, userId)).find((identity) => identity.identityId === identityId);
  if (found === undefined) return null;
  if ((await findWhoseWord(tx, userId)).vouchedBy === null) await markVouched(tx, userId, "OIDC");
  await tx.deleteFrom("member_identities").where("user_id", "=", userId).where("issuer", "=", found.issuer).execute();
  return found;
}

/** Who a developer is to their providers, oldest first. */
export async function listDeveloperIdentities(db: Db, developerId: string): Promise<LinkedIdentity[]> {
  const rows = await db
    .selectFrom("developer_identities")
    .select(columns)
    .where("developer_id", "=", developerId)
    .execute();
  return rows.sort((a, b) => a.createdAt - b.createdAt).map(toIdentity);
}

/** Whether the developer is an operator by a person's word, which counts until somebody takes it back. */
export async function isLastingOperator(db: Db, developerId: string): Promise<boolean> {
  const row = await db
    .selectFrom("developers")
    .select("developer_id")
    .where("developer_id", "=", developerId)
    .where("operator", "=", 1)
    .where("operator_until", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Parts the developer from an identity; null when they have none such. */
export async function unlinkDeveloperIdentity(
  tx: Db,
  developerId: string,
  identityId: string,
): Promise<LinkedIdentity | null> {
  const found = (await listDeveloperIdentities(tx, developerId)).find((identity) => identity.identityId === identityId);
  if (found === undefined) return null;
  await tx
    .deleteFrom("developer_identities")
    .where("developer_id", "=", developerId)
    .where("issuer", "=", found.issuer)
    .execute();
  return found;
}
