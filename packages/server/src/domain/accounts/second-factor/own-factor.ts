import { ApiError, type Enrolment, type SecondFactor } from "@portico/protocol";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Change } from "../../audit/audit-store.ts";
import type { CallOrigin, Developer } from "../developer.ts";
import { endOtherLogins, lockForLogin, markSecondFactor } from "../developer-login-store.ts";
import { checkOwnPassword, type OwnPasswordParts } from "../developer-password.ts";
import { endPendingOfDeveloper } from "../pending-sign-ins.ts";
import { deleteChallengesOf } from "./challenge-store.ts";
import { useCode, withinLimits } from "./check-code.ts";
import { beginEnrolment, confirmEnrolment, shown } from "./enrolment.ts";
import { countRecoveryCodes, deleteFactor, findFactor, noteWrongCode, putRecoveryCodes } from "./factor-store.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { isRequiredOf, type SecondFactorParts } from "./sign-in.ts";

/** What it takes to change one's own second factor. */
export interface OwnFactorParts extends SecondFactorParts, OwnPasswordParts {}

/** A developer's call that changes their own second factor. */
interface OwnCall {
  developer: Developer;
  origin: CallOrigin;
  /** Writes the change to the audit log. */
  audit: (tx: Db, change: Change) => Promise<void>;
}

/** Whether the developer signs in with a second factor. */
export async function ownFactor(ctx: SecondFactorParts, developer: Developer): Promise<SecondFactor> {
  const { db } = ctx.storage;
  const { developerId } = developer;
  const [factor, recoveryCodesLeft] = await Promise.all([
    findFactor(db, developerId),
    countRecoveryCodes(db, developerId),
  ]);
  return { enabledAt: factor?.confirmedAt ?? null, recoveryCodesLeft, required: isRequiredOf(ctx.config, developer) };
}

/** Makes a secret, which counts once its first code was entered. @throws ApiError 403, 429 */
export async function beginOwnFactor(
  ctx: OwnFactorParts,
  { developer, origin, audit }: OwnCall,
  password: string,
): Promise<Enrolment> {
  const { developerId } = developer;
  const { phone } = await checkOwnPassword(ctx, developer, password, origin);
  const begun = await ctx.storage.write(async (tx) => {
    const secret = await beginEnrolment(ctx, tx, { developerId, phone });
    if (secret !== null) await audit(tx, changeOf("begin", developerId));
    return secret;
  });
  if (begun === null) throw new ApiError("SECOND_FACTOR_ON");
  return await shown(begun);
}

/** Turns the factor on by its first code. @returns the recovery codes. @throws ApiError 403, 429 */
export async function confirmOwnFactor(
  ctx: OwnFactorParts,
  { developer, audit }: OwnCall,
  { code, endOtherSessions = false }: { code: string; endOtherSessions?: boolean | undefined },
): Promise<string[]> {
  const { developerId, sessionId } = developer;
  const factor = await findFactor(ctx.storage.db, developerId);
  if (factor === null) throw new ApiError("SECOND_FACTOR_OFF");
  if (factor.confirmedAt !== null) throw new ApiError("SECOND_FACTOR_ON");
  return await withinLimits(ctx, { developerId, code }, () =>
    ctx.storage.write(async (tx) => {
      // A sign-in that begins now asks for the code, or has begun before.
      await lockForLogin(tx, developerId);
      const codes = await confirmEnrolment(ctx, tx, { developerId, code });
      if (codes === null) return null;
      await markSecondFactor(tx, developerId, sessionId);
      await deleteChallengesOf(tx, developerId);
      if (endOtherSessions) {
        await endPendingOfDeveloper(tx, developerId);
        await endOtherLogins(tx, developerId, sessionId);
      }
      await audit(tx, { ...changeOf("enable", developerId), ...(endOtherSessions && { after: { endOtherSessions } }) });
      return codes;
    }),
  );
}

/** Replaces the recovery codes. @throws ApiError 403, 429 */
export async function renewOwnRecoveryCodes(
  ctx: OwnFactorParts,
  call: OwnCall,
  proof: { password: string; code: string },
): Promise<string[]> {
  return await withProof(ctx, call, proof, async (tx, developerId) => {
    const codes = newRecoveryCodes();
    await putRecoveryCodes(tx, developerId, codes);
    await call.audit(tx, changeOf("recovery-codes", developerId));
    return codes;
  });
}

/** Turns the factor off. @throws ApiError 403, 429 */
export async function disableOwnFactor(
  ctx: OwnFactorParts,
  call: OwnCall,
  proof: { password: string; code: string },
): Promise<void> {
  if (isRequiredOf(ctx.config, call.developer)) throw new ApiError("SECOND_FACTOR_REQUIRED");
  await withProof(ctx, call, proof, async (tx, developerId) => {
    await deleteFactor(tx, developerId);
    await deleteChallengesOf(tx, developerId);
    await call.audit(tx, changeOf("disable", developerId));
    return true;
  });
}

/** Carries a change out whose developer has given password and code; the code is used up with it. */
async function withProof<Value>(
  ctx: OwnFactorParts,
  { developer, origin, audit }: OwnCall,
  { password, code }: { password: string; code: string },
  work: (tx: Db, developerId: string) => Promise<Value>,
): Promise<Value> {
  const { developerId } = developer;
  const factor = await findFactor(ctx.storage.db, developerId);
  if (factor === null || factor.confirmedAt === null) throw new ApiError("SECOND_FACTOR_OFF");
  await checkOwnPassword(ctx, developer, password, origin);
  return await withinLimits(ctx, { developerId, code }, () =>
    ctx.storage.write(async (tx) => {
      await lockForLogin(tx, developerId);
      if ((await useCode(ctx, tx, developerId, code)) !== null) return await work(tx, developerId);
      await noteWrongCode(tx, developerId, ctx.clock.now());
      await audit(tx, changeOf("fail", developerId));
      return null;
    }),
  );
}

function changeOf(verb: "begin" | "enable" | "disable" | "recovery-codes" | "fail", developerId: string): Change {
  return { action: `second-factor.${verb}`, target: `developer:${developerId}`, before: null, after: null };
}
