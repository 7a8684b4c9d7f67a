import { createHash, randomBytes } from "node:crypto";
import { deleteAllButNewest } from "../../platform/storage/delete-all-but-newest.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";
import { findVisitorByToken, lockEnabledVisitor, type VisitorRow } from "./visitor-store.ts";

/** The lifetime of a visitorToken; the integrator's page asks for another one while its visitor stays. */
export const VISITOR_TOKEN_LIFE_MS = 2 * 3_600_000;

/** The most valid tokens per visitor; a further one replaces the oldest. */
const MAX_LIVE = 20;

/** The token that authorises a widget to act for a visitor. */
export interface IssuedVisitorToken {
  /** 32 random bytes in Base64URL; the database stores only the hash. */
  visitorToken: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

const trimTokens = deleteAllButNewest("visitor_tokens", "token_hash", "visitor_id", true);
const insert = prepared<{ hash: string; visitorId: string; expiresAt: number }>()((db, param) =>
  db
    .insertInto("visitor_tokens")
    .values({ token_hash: param("hash"), visitor_id: param("visitorId"), expires_at: param("expiresAt") }),
);

/**
 * Issues a token for a visitor. The visitor's row stays locked until the transaction ends, so concurrent calls cannot
 * exceed {@link MAX_LIVE}, and disabling the visitor happens strictly before or after.
 *
 * @param now epoch milliseconds.
 * @returns null when the visitor is disabled.
 */
export async function issueVisitorToken(tx: Db, visitorId: string, now: number): Promise<IssuedVisitorToken | null> {
  if (!(await lockEnabledVisitor(tx, visitorId))) return null;
  const visitorToken = randomBytes(32).toString("base64url");
  const expiresAt = now + VISITOR_TOKEN_LIFE_MS;
  await trimTokens(tx, visitorId, MAX_LIVE - 1);
  await insert.affected(tx, { hash: hashOf(visitorToken), visitorId, expiresAt });
  return { visitorToken, expiresAt };
}

/** The visitor of this token; null when the token is unknown or expired, or the visitor is disabled. */
export async function visitorOfToken(db: Db, token: string, now: number): Promise<VisitorRow | null> {
  if (!/^[\w-]{1,128}$/.test(token)) return null;
  return await findVisitorByToken(db, hashOf(token), now);
}

/** Deletes a visitor's tokens. */
export async function endVisitorTokens(tx: Db, visitorId: string): Promise<void> {
  await tx.deleteFrom("visitor_tokens").where("visitor_id", "=", visitorId).execute();
}

/** Deletes expired tokens. */
export async function sweepVisitorTokens(storage: Writes, now: number): Promise<void> {
  await removeOld(storage, "visitor_tokens", { key: ["token_hash"], column: "expires_at", before: now + 1 });
}

/** A token is 32 random bytes, so a hash without salt cannot be reversed by guessing. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
