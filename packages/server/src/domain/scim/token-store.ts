import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** The most tokens of a tenant: one for each directory, and another while it is replaced. */
export const MAX_SCIM_TOKENS = 20;

/** A token with which a directory manages a tenant's people. */
export interface ScimToken {
  tokenId: string;
  name: string;
  createdAt: number;
}

const selectToken = prepared<{ hash: string; tenantId: string }>()((db, param) =>
  db
    .selectFrom("scim_tokens")
    .select("token_id as tokenId")
    .where("token_hash", "=", param("hash"))
    .where("tenant_id", "=", param("tenantId")),
);

/** The id of the tenant's token with this hash; null when there is none. */
export async function findScimToken(db: Db, tenantId: string, hash: string): Promise<string | null> {
  return (await selectToken.first(db, { hash, tenantId }))?.tokenId ?? null;
}

/** The tenant's tokens, oldest first. */
export async function listScimTokens(db: Db, tenantId: string): Promise<ScimToken[]> {
  const rows = await db
    .selectFrom("scim_tokens")
    .select(["token_id as tokenId", "name", "created_at as createdAt"])
    .where("tenant_id", "=", tenantId)
    .execute();
  return rows.sort((a, b) => a.createdAt - b.createdAt);
}

export async function insertScimToken(
  tx: Db,
  tenantId: string,
  { tokenId, name, createdAt }: ScimToken,
  hash: string,
): Promise<void> {
  await tx
    .insertInto("scim_tokens")
    .values({ token_id: tokenId, tenant_id: tenantId, name, token_hash: hash, created_at: createdAt })
    .execute();
}

/** Deletes a token of the tenant's; false when there is none. */
export async function deleteScimToken(tx: Db, tenantId: string, tokenId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("scim_tokens")
    .where("tenant_id", "=", tenantId)
    .where("token_id", "=", tokenId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
