import { brokenRule, type Refusal } from "../../platform/errors/refusal.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { type FileOwner, findExpiry } from "./file-store.ts";

/**
 * The refusal of a fileKey that is expired, unknown or someone else's. The answer does not tell which; the request log
 * tells of the owner's own file that it has expired, and of nobody else's anything.
 *
 * @param pointer where the fileKey stands in the body.
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
