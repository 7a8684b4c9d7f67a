import { removeOld } from "../../../platform/storage/remove-old.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Writes } from "../../../platform/storage/storage.ts";
import type { NamedPerson } from "./claims.ts";

/** Who somebody is to their provider. */
export type Identity = Pick<NamedPerson, "issuer" | "subject">;

/** The tenant's member with this identity; null when there is none. */
export async function findMemberOfIdentity(tx: Db, tenantId: string, { issuer, subject }: Identity) {
  const row = await tx
    .selectFrom("member_identities")
    .select("user_id as userId")
    .where("tenant_id", "=", tenantId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** Gives the member the identity; false when another has it, or the member has one of this issuer already. */
export async function addMemberIdentity(
  tx: Db,
  { tenantId, userId }: { tenantId: string; userId: string },
  { issuer, subject }: Identity,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("member_identities")
    .values({ tenant_id: tenantId, issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Whether the member has an identity of this issuer. */
export async function hasMemberIdentity(tx: Db, userId: string, issuer: string): Promise<boolean> {
  const row = await tx
    .selectFrom("member_identities")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  return row !== undefined;
}

/** The developer with this identity; null when there is none. */
export async function findDeveloperOfIdentity(tx: Db, { issuer, subject }: Identity): Promise<string | null> {
  const row = await tx
    .selectFrom("developer_identities")
    .select("developer_id as developerId")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.developerId ?? null;
}

/** {@link addMemberIdentity}, for a developer. */
export async function addDeveloperIdentity(
  tx: Db,
  developerId: string,
  { issuer, subject }: Identity,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("developer_identities")
    .values({ issuer, subject, developer_id: developerId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Whether the developer has an identity of this issuer. */
export async function hasDeveloperIdentity(tx: Db, developerId: string, issuer: string): Promise<boolean> {
  const row = await tx
    .selectFrom("developer_identities")
    .select("developer_id")
    .where("developer_id", "=", developerId)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks a sign-in as ended, by the hash of its nonce; false when it was ended before. */
export async function useFlow(tx: Db, nonceHash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("oidc_used_flows")
    .values({ nonce_hash: nonceHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Forgets the used flows that have expired at `now`. */
export async function sweepUsedFlows(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "oidc_used_flows", { key: ["nonce_hash"], column: "expires_at", before: now + 1 });
}
