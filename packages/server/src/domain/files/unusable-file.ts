import { brokenRule, type Refusal } from "../../platform/errors/refusal.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { type FileOwner, findExpiry } from "./file-store.ts";

/**
 * The error for a fileKey that is expired, unknown or belongs to someone else. The answer does not say which. The
 * request log says that a file has expired, but only if it is the caller's own.
 *
 * @param pointer JSON pointer to the fileKey in the body.
 */
export async function unusableFile(
  db: Db,
  owner: FileOwner,
  fileKey: string,
  now: number,
  pointer: string,
): Promise<Refusal> {
  const expiredAt = await findExpiry(db, owner, fileKey);
  if (expiredAt === null || expiredAt > now) {
    const reason = "no file that the caller may send has this fileKey";
    return brokenRule("file-unusable", { pointer, facts: { problem: "no-such-file", expiredAt: null }, reason });
  }
  const reason = `the fileKey expired ${now - expiredAt} ms before the call`;
  return brokenRule("file-unusable", { pointer, facts: { problem: "expired", expiredAt }, reason });
}
