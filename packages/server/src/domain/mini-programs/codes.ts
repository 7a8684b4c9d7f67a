import { createHash, randomBytes } from "node:crypto";
import { ApiError, type MiniappCode } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { brokenRule } from "../../platform/errors/refusal.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { findMiniProgram } from "../applications/app-store.ts";
import { lockMember } from "../directory/member-store.ts";
import { findCode, insertCode, takeCode } from "./code-store.ts";

/** What login codes need. */
export interface CodeParts {
  storage: Storage;
  clock: Clock;
  config: Config;
}

/**
 * A code with which a mini-program's server can learn who has opened it (docs/contract/mini-programs.md). The database
 * keeps its hash alone.
 *
 * @param member who opens it, signed in.
 * @throws ApiError 403 unless `appId` is an active mini-program of the member's tenant; 401 when the member has just
 *   been shut out.
 */
export async function issueCode(
  ctx: CodeParts,
  { userId, tenantId }: { userId: string; tenantId: string },
  appId: string,
): Promise<MiniappCode> {
  const code = randomBytes(32).toString("base64url");
  const expiresAt = ctx.clock.now() + ctx.config.limits.miniappCodeTtlMs;
  return await ctx.storage.write(async (tx) => {
    const member = await lockMember(tx, tenantId, userId);
    if (member === null || member.disabled) throw new ApiError("NOT_SIGNED_IN");
    const app = await findMiniProgram(tx, appId);
    if (app?.tenantId !== tenantId || app.status !== "ACTIVE") {
      throw new ApiError("MINI_PROGRAM_UNAVAILABLE");
    }
    await insertCode(tx, { hash: hashOf(code), appId, userId, expiresAt });
    return { code, expiresAt };
  });
}

/**
 * The userId of whom a code of the application's stands for. It is used up by that: of those who try at once one succeeds.
 *
 * @throws ApiError 403; the caller is not told whether the code is unknown, used, expired or of another application.
 */
export async function redeemCode(
  tx: Db,
  { appId, tenantId }: { appId: string; tenantId: string },
  code: string,
  now: number,
): Promise<string> {
  const hash = hashOf(code);
  const userId = await takeCode(tx, { hash, appId, tenantId, now });
  if (userId !== null) return userId;
  const { problem, reason } = await problemOf(tx, hash, appId, now);
  throw brokenRule("login-code", { pointer: "/code", facts: { problem }, reason });
}

/** Why a code cannot be exchanged, for the request log. */
async function problemOf(db: Db, hash: string, appId: string, now: number) {
  const found = await findCode(db, hash);
  if (found === null) return { problem: "no-such-code", reason: "the login code is unknown, or has been used" };
  if (found.appId !== appId) {
    return { problem: "other-application", reason: "the login code was made for another application" };
  }
  if (found.expiresAt <= now) {
    return { problem: "expired", reason: `the login code expired ${now - found.expiresAt} ms ago` };
  }
  return { problem: "member-disabled", reason: "the login code is of a member who can no longer sign in" };
}

/** Codes are 32 random bytes, so a plain hash cannot be guessed back. */
function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("base64url");
}
