import { createHash, randomBytes } from "node:crypto";
import type { CredentialList } from "@portico/protocol";
import { sealedRows } from "../../platform/crypto/sealed-rows.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { Db } from "../../platform/storage/schema.ts";

const ID_BYTES = 15;
const SECRET_BYTES = 32;

/** The most rotated credentials that are kept per application, including those in their grace period. */
const MAX_KEPT = 100;

/** A new credential: the secret as it is shown once, and as it is stored. */
export interface NewCredential {
  credentialId: string;
  appSecret: string;
  secretBox: string;
}

export const SEALED_CREDENTIALS = sealedRows({
  name: "credentials",
  table: "credentials",
  keys: ["credential_id"],
  ownerOf: ([credentialId = ""]) => credentialId,
  shown: ([credentialId = ""]) => `…${shownId(credentialId)}`,
});

/** Generates a random credential. */
export function newCredential(box: SecretBox): NewCredential {
  const credentialId = `cred_${randomBytes(ID_BYTES).toString("base64url")}`;
  const appSecret = randomBytes(SECRET_BYTES).toString("base64url");
  return { credentialId, appSecret, secretBox: box.seal(appSecret, credentialId) };
}

/** The last four characters of a credentialId: what the credential is called after it has been shown once. */
export function shownId(credentialId: string): string {
  return credentialId.slice(-4);
}

/** Inserts a credential of a locked application. */
export async function insertCredential(
  tx: Db,
  appId: string,
  { credentialId, secretBox }: NewCredential,
  now: number,
): Promise<void> {
  await tx
    .insertInto("credentials")
    .values({
      credential_id: credentialId,
      app_id: appId,
      secret_box: secretBox,
      created_at: now,
      rotated_at: null,
    })
    .execute();
}

/**
 * Starts the grace period of the current credentials of a locked application.
 *
 * @returns their ids.
 */
export async function retireCurrent(tx: Db, appId: string, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable("credentials")
    .set({ rotated_at: now })
    .where("app_id", "=", appId)
    .where("rotated_at", "is", null)
    .returning("credential_id as credentialId")
    .execute();
  return rows.map((row) => row.credentialId);
}

/** How many of the application's credentials were rotated after `since`, i.e. are in their grace period. */
export async function countRotatedSince(db: Db, appId: string, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("credentials")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("app_id", "=", appId)
    .where("rotated_at", ">", since)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Revokes the credentials rotated after `since`, i.e. those in their grace period.
 *
 * @returns their ids.
 */
export async function revokeRotatedSince(tx: Db, appId: string, since: number, now: number): Promise<string[]> {
  const rows = await tx
    .deleteFrom("credentials")
    .where("app_id", "=", appId)
    .where("rotated_at", ">", since)
    .returning("credential_id as credentialId")
    .execute();
  const credentialIds = rows.map((row) => row.credentialId);
  await rememberRevoked(tx, appId, credentialIds, now);
  return credentialIds;
}

/** Records that these ids were revoked, so that provisioning cannot bring one of them back by mistake. */
export async function rememberRevoked(
  tx: Db,
  appId: string,
  credentialIds: readonly string[],
  now: number,
): Promise<void> {
  if (credentialIds.length === 0) return;
  await tx
    .insertInto("revoked_credentials")
    .values(credentialIds.map((id) => ({ credential_hash: hashOf(id), app_id: appId, revoked_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether a credential with this id has been revoked and deleted. */
export async function isRevoked(db: Db, credentialId: string): Promise<boolean> {
  const row = await db
    .selectFrom("revoked_credentials")
    .select("app_id")
    .where("credential_hash", "=", hashOf(credentialId))
    .executeTakeFirst();
  return row !== undefined;
}

/** Undoes a revocation; false when there is none. */
export async function forgetRevoked(tx: Db, credentialId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("revoked_credentials")
    .where("credential_hash", "=", hashOf(credentialId))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Only the credentials table stores full ids; revocations store hashes. */
function hashOf(credentialId: string): string {
  return createHash("sha256").update(credentialId).digest("base64url");
}

/** If there are too many credentials rotated at or before `until` (past their grace period), deletes the oldest. */
export async function pruneCredentials(tx: Db, appId: string, until: number, now: number): Promise<void> {
  const newest = tx
    .selectFrom("credentials")
    .select("credential_id")
    .where("app_id", "=", appId)
    .where("rotated_at", "is not", null)
    .orderBy("rotated_at", "desc")
    .limit(MAX_KEPT);
  const pruned = await tx
    .deleteFrom("credentials")
    .where("app_id", "=", appId)
    .where("rotated_at", "<=", until)
    .where("credential_id", "not in", newest)
    .returning("credential_id as credentialId")
    .execute();
  const credentialIds = pruned.map(({ credentialId }) => credentialId);
  await rememberRevoked(tx, appId, credentialIds, now);
}

/** The application's credentials, newest first. */
export async function listCredentials(db: Db, appId: string, graceMs: number, now: number): Promise<CredentialList> {
  const rows = await db
    .selectFrom("credentials")
    .select(["credential_id", "created_at", "rotated_at", "last_used_at"])
    .where("app_id", "=", appId)
    .orderBy("created_at", "desc")
    .orderBy((eb) => eb("rotated_at", "is", null), "desc")
    .orderBy("rotated_at", "desc")
    .orderBy("credential_id")
    .execute();
  return rows.map((row) => {
    const expiresAt = row.rotated_at === null ? null : row.rotated_at + graceMs;
    return {
      credential: shownId(row.credential_id),
      createdAt: row.created_at,
      rotatedAt: row.rotated_at,
      expiresAt,
      lastUsedAt: row.last_used_at,
      status: expiresAt === null ? "CURRENT" : now < expiresAt ? "GRACE" : "EXPIRED",
    };
  });
}
