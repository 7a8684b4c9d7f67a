import { hash, randomBytes } from "node:crypto";
import { ApiError, type Enrolment, type SecondStep, type SignInStep } from "@portico/protocol";
import type { Config } from "../../../platform/config/config.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { recordChange } from "../../audit/audit-store.ts";
import type { CallOrigin } from "../developer.ts";
import { type DeveloperForSignIn, findForSecondStep, lockForLogin } from "../developer-login-store.ts";
import { findDeveloperOfMember, lockSignIn, type MemberSignIn } from "../developer-of-member.ts";
import { beginSession, type DeveloperSessionParts, type Session, type SessionStart } from "../developer-session.ts";
import { hashOfToken } from "../refresh-tokens.ts";
import {
  type Challenge,
  deleteChallenge,
  findChallenge,
  insertChallenge,
  takeEnrolment,
  takeTry,
} from "./challenge-store.ts";
import { type CodeCheckParts, useCode, withinLimits } from "./check-code.ts";
import { beginEnrolment, confirmEnrolment, shown } from "./enrolment.ts";
import { findFactor, noteWrongCode, takeWrongCodes } from "./factor-store.ts";

/** What it takes to sign developers in in two steps. */
export interface SecondFactorParts extends DeveloperSessionParts, CodeCheckParts {}

/** What the first step of a sign-in leads to. */
export type SignedIn = { session: Session } | { second: SecondStep };

/** How long the second step may take: long enough to set an authenticator app up. */
export const CHALLENGE_MS = 10 * 60_000;

/** Whether the operator asks this developer for a second factor. */
export function isRequiredOf({ signIn }: Pick<Config, "signIn">, { operator }: { operator: boolean }): boolean {
  return signIn.requireSecondFactor === "developers" || (signIn.requireSecondFactor === "operators" && operator);
}

/**
 * Signs a developer in who has passed the first step: begins a login, or the second step where there is one. Decided
 * while the developer's row is locked, so a factor that is turned on at the same moment is asked for or was not there.
 *
 * @returns null when the password has changed meanwhile or the account is disabled.
 */
export async function signIn(
  ctx: DeveloperSessionParts,
  tx: Db,
  start: Omit<SessionStart, "restsOn"> & { method: Challenge["method"]; member?: MemberSignIn },
): Promise<SignedIn | null> {
  const { developerId, method, passwordHash, member } = start;
  if (!(await lockForLogin(tx, developerId, passwordHash))) return null;
  const step = await secondStepOf(ctx, tx, developerId);
  const grounds = await groundsOf(ctx, tx, developerId, member ?? null);
  if (grounds === null) return null;
  if (step === null) {
    const session = await beginSession(ctx, tx, { ...start, ...grounds });
    return session && { session };
  }
  const challenge = randomBytes(32).toString("base64url");
  const expiresAt = ctx.clock.now() + CHALLENGE_MS;
  const passwordMark = passwordHash === undefined ? null : markOf(passwordHash);
  const from = { userId: member?.userId ?? null, memberSession: member?.session ?? null };
  await insertChallenge(tx, {
    hash: hashOfToken(challenge),
    expiresAt,
    developerId,
    step,
    method,
    passwordMark,
    ...from,
  });
  return { second: { secondFactor: { challenge, step, expiresAt } } };
}

/**
 * What a login of the developer rests on: nothing more without a member; otherwise the member's sign-in to the messenger, which
 * the transaction has locked before the developer. Decided when the login is handed out, whatever was decided before.
 *
 * @returns null when that member may not sign this developer in.
 */
async function groundsOf(
  ctx: Pick<DeveloperSessionParts, "config">,
  tx: Db,
  developerId: string,
  member: MemberSignIn | null,
): Promise<Pick<SessionStart, "restsOn"> | null> {
  if (member === null) return {};
  const found = await findDeveloperOfMember(tx, ctx.config, member);
  if (found?.developerId !== developerId) return null;
  return { restsOn: { userId: member.userId, tenantId: found.tenantId } };
}

async function secondStepOf(ctx: DeveloperSessionParts, tx: Db, developerId: string): Promise<SignInStep | null> {
  const factor = await findFactor(tx, developerId);
  if (factor !== null && factor.confirmedAt !== null) return "code";
  const developer = await findForSecondStep(tx, developerId);
  return developer !== null && isRequiredOf(ctx.config, developer) ? "enrol" : null;
}

/**
 * {@link signIn} after a password check.
 *
 * @param developer.passwordHash the hash that the password was checked against.
 * @throws ApiError 401 when that hash has changed meanwhile or the account is disabled.
 */
export async function signInByPassword(
  ctx: DeveloperSessionParts,
  developer: { developerId: string; passwordHash: string | null },
  origin: CallOrigin,
): Promise<SignedIn> {
  const start = { ...developer, origin, method: "password" } as const;
  const signedIn = await ctx.storage.write((tx) => signIn(ctx, tx, start), `logins of ${developer.developerId}`);
  if (signedIn === null) throw new ApiError("NOT_SIGNED_IN");
  return signedIn;
}

/**
 * Second step: a code.
 *
 * @throws ApiError 401 when the sign-in has to begin anew, 403 when the code is wrong, 429 after too many wrong ones.
 */
export async function passSecondFactor(
  ctx: SecondFactorParts,
  { challenge, code }: { challenge: string; code: string },
  origin: CallOrigin,
): Promise<Session> {
  return await tryStep(ctx, { challenge, code, origin }, "code", async (tx, { developerId, tries, ...start }) => {
    const kind = await useCode(ctx, tx, developerId, code);
    if (kind === null) {
      await noteWrongCode(tx, developerId, ctx.clock.now());
      return null;
    }
    const wrongCodes = await takeWrongCodes(tx, developerId, tries - 1);
    return await beginSession(ctx, tx, { ...start, developerId, origin, secondFactor: kind, wrongCodes });
  });
}

/**
 * Second step where a factor has to be set up: a new secret.
 *
 * @throws ApiError 401 when the sign-in has to begin anew, 403 when it has to be one by password.
 */
export async function enrolAtSignIn(ctx: SecondFactorParts, challenge: string): Promise<Enrolment> {
  const hash = hashOfToken(challenge);
  const begun = await ctx.storage.write(async (tx) => {
    const found = await findChallenge(tx, hash, ctx.clock.now());
    if (found?.step !== "enrol") return null;
    checkPasswordGiven(found);
    const developer = await stillSigningIn(tx, found);
    if (developer === null || !(await takeEnrolment(tx, hash))) return null;
    return await beginEnrolment(ctx, tx, { ...found, phone: developer.phone });
  });
  if (begun === null) throw new ApiError("SIGN_IN_CHALLENGE_ENDED");
  return await shown(begun);
}

/** The step after that: the first code. Throws as {@link passSecondFactor}. */
export async function confirmAtSignIn(
  ctx: SecondFactorParts,
  { challenge, code }: { challenge: string; code: string },
  origin: CallOrigin,
): Promise<{ session: Session; recoveryCodes: string[] }> {
  return await tryStep(ctx, { challenge, code, origin }, "enrol", async (tx, { developerId, tries: _, ...start }) => {
    const recoveryCodes = await confirmEnrolment(ctx, tx, { developerId, code });
    if (recoveryCodes === null) return null;
    await record(ctx, tx, "enable", { developerId, origin });
    const session = await beginSession(ctx, tx, { ...start, developerId, origin, secondFactor: "totp" });
    return session && { session, recoveryCodes };
  });
}

/** Tries a code in a transaction that counts the try, whatever comes of it; a success uses the challenge up. */
async function tryStep<Value>(
  ctx: SecondFactorParts,
  { challenge, code, origin }: { challenge: string; code: string; origin: CallOrigin },
  step: SignInStep,
  work: (
    tx: Db,
    start: Pick<SessionStart, "developerId" | "method" | "passwordHash" | "restsOn"> & { tries: number },
  ) => Promise<Value | null>,
): Promise<Value> {
  const hash = hashOfToken(challenge);
  const known = await findChallenge(ctx.storage.db, hash, ctx.clock.now());
  if (known?.step !== step) throw new ApiError("SIGN_IN_CHALLENGE_ENDED");
  if (step === "enrol") checkPasswordGiven(known);
  const { developerId } = known;
  return await withinLimits(ctx, { developerId, code }, async () => {
    const outcome = await ctx.storage.write(async (tx): Promise<{ value: Value } | "ended" | null> => {
      // In the order in which all lock them: the member, the developer, what they have begun.
      const member = known.method === "qr" ? await memberOf(tx, known) : null;
      const developer = await stillSigningIn(tx, known);
      const found = developer && (await takeTry(tx, hash, ctx.clock.now()));
      if (!developer || !found || (found.method === "qr" && member === null)) return "ended";
      const grounds = await groundsOf(ctx, tx, developerId, member);
      if (grounds === null) return "ended";
      const { passwordHash } = developer;
      const { method, tries } = found;
      const proof = { method, ...(method === "password" && { passwordHash }), ...grounds };
      const value = await work(tx, { developerId, tries, ...proof });
      if (value === null) {
        // Once for each sign-in: it has passed the first step, so its developer should know.
        if (found.tries === 1) await record(ctx, tx, "fail", { developerId, origin });
        return null;
      }
      await deleteChallenge(tx, hash);
      return { value };
    }, `logins of ${developerId}`);
    // Thrown, as it is neither a failure nor a success, which would clear the failures: no code was looked at.
    if (outcome === "ended") throw new ApiError("SIGN_IN_CHALLENGE_ENDED");
    return outcome === null ? null : outcome.value;
  });
}

/** The member whose sign-in was the first step; null when that has ended. */
async function memberOf(tx: Db, { userId, memberSession }: Challenge): Promise<MemberSignIn | null> {
  if (userId === null || memberSession === null) return null;
  return await lockSignIn(tx, { userId, session: memberSession });
}

/** Writes to the audit log what became of a second step. */
async function record(
  { clock }: Pick<SecondFactorParts, "clock">,
  tx: Db,
  verb: "enable" | "fail",
  { developerId, origin }: { developerId: string; origin: CallOrigin },
): Promise<void> {
  const actor = { type: "DEVELOPER", id: developerId, address: origin.address } as const;
  const change = { action: `second-factor.${verb}`, target: `developer:${developerId}`, before: null, after: null };
  await recordChange(tx, actor, change, clock.now());
}

/** The developer, whose row is then locked; null when the password has changed since the first step, or they are disabled. */
async function stillSigningIn(tx: Db, { developerId, passwordMark }: Challenge): Promise<DeveloperForSignIn | null> {
  if (!(await lockForLogin(tx, developerId))) return null;
  const developer = await findForSecondStep(tx, developerId);
  if (developer === null) return null;
  return passwordMark === null || passwordMark === markOf(developer.passwordHash) ? developer : null;
}

/**
 * A factor is set up by who knows the password: who has the messenger of a developer for a moment could confirm a QR code
 * of their own, and lock the developer out by a factor of their own.
 *
 * @throws ApiError 403
 */
function checkPasswordGiven({ passwordMark }: Challenge): void {
  if (passwordMark === null) throw new ApiError("ENROL_NEEDS_PASSWORD");
}

/** Tells password hashes apart, and says nothing of them. */
export function markOf(passwordHash: string | null): string {
  return hash("sha256", `password hash ${passwordHash}`, "base64url");
}
