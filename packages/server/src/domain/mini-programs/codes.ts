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

/** The dependencies of login codes. */
export interface CodeParts {
  storage: Storage;
  clock: Clock;
  config: Config;
}

/**
 * Issues a code that tells a mini-program's server which member has opened it (docs/contract/mini-programs.md). The
 * database stores only its hash.
 *
 * @param member the signed-in member.
 * @throws ApiError 403 unless `appId` is an active mini-program of the member's tenant; 401 when the member was
 * disabled meanwhile.
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
 * Consumes a code of the application. Of several concurrent calls, one succeeds.
 *
 * @returns the member's userId.
 * @throws ApiError 403; the same for a code that is unknown, used, expired or of another application.
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

/** Why a code was refused, for the request log. */
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

/** A code is 32 random bytes, so a hash without salt cannot be reversed by guessing. */
function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("base64url");
}
