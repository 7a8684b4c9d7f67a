import { randomBytes } from "node:crypto";
import { ApiError, type ConsoleLogin } from "@portico/protocol";
import type { Config } from "../../platform/config/config.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { type Actor, recordChange } from "../audit/audit-store.ts";
import type { CallOrigin, Developer } from "./developer.ts";
import { DEVELOPER_LOGINS, findDeveloperOfToken, lacksSecondFactor, lockForLogin } from "./developer-login-store.ts";
import { type GivenTokens, type LoginParts, Logins } from "./logins.ts";
import { hashOfToken, RefreshTokens } from "./refresh-tokens.ts";
import type { WrongCodes } from "./second-factor/factor-store.ts";

/** The dependencies of the developers' sign-in. */
export interface DeveloperSessionParts extends LoginParts {
  config: Config;
}

/** The result of a login or a refresh: the answer, and the refresh token for the cookie. */
export interface Session {
  login: ConsoleLogin;
  refreshToken: string;
}

/** The ways to sign in in which the service asks for a second factor itself. */
const NEEDS_SECOND_FACTOR: ReadonlySet<string> = new Set(["password", "qr"]);

/** Whom to log in, from where, and how they were authenticated. */
export interface SessionStart {
  developerId: string;
  origin: CallOrigin;
  method: "password" | "qr" | "oidc";
  /** The kind of code that was shown beside it. */
  secondFactor?: "totp" | "recovery";
  /** The wrong codes that the developer is to hear of. */
  wrongCodes?: WrongCodes | null;
  /** The hash that the password was checked against; absent when the developer authenticated without a password. */
  passwordHash?: string | null;
  /** The member on whose sign-in to the messenger the login rests, and the only tenant that it is to see; null: all. */
  restsOn?: { userId: string; tenantId: string | null };
}

/**
 * Logs in a developer who is already authenticated; asks for no second factor (second-factor/sign-in.ts does).
 *
 * @returns null when the password has changed meanwhile or the account is disabled.
 */
export async function beginSession(ctx: DeveloperSessionParts, tx: Db, start: SessionStart): Promise<Session | null> {
  const { developerId, origin, method, secondFactor, passwordHash, wrongCodes = null, restsOn } = start;
  if (!(await lockForLogin(tx, developerId, passwordHash))) return null;
  const sessionId = `ses_${randomBytes(9).toString("base64url")}`;
  const given = await loginsOf(ctx).begin(tx, developerId, origin, {
    session_id: sessionId,
    second_factor: secondFactor !== undefined || !NEEDS_SECOND_FACTOR.has(method) ? 1 : 0,
    user_id: restsOn?.userId ?? null,
    tenant_id: restsOn?.tenantId ?? null,
  });
  const after = {
    method,
    ...(secondFactor && { secondFactor }),
    ...(wrongCodes && { wrongCodes: wrongCodes.count }),
    ...(restsOn?.tenantId && { tenant: restsOn.tenantId }),
  };
  const change = { action: "session.start", target: `session:${sessionId}`, before: null, after };
  await recordChange(tx, actorOf(developerId, origin), change, ctx.clock.now());
  const { login, refreshToken } = sessionOf(developerId, given);
  return { login: { ...login, ...(wrongCodes && { wrongCodes }) }, refreshToken };
}

/**
 * Logs in a developer after a password check.
 *
 * @param passwordHash the hash that the password was checked against; absent when there was no password check.
 * @throws ApiError 401 when that hash has changed meanwhile or the account is disabled.
 */
export async function startSession(
  ctx: DeveloperSessionParts,
  developerId: string,
  origin: CallOrigin,
  passwordHash?: string | null,
): Promise<Session> {
  const start = { developerId, origin, method: "password", passwordHash } as const;
  const session = await ctx.storage.write((tx) => beginSession(ctx, tx, start), `logins of ${developerId}`);
  if (session === null) throw notSignedIn();
  return session;
}

/**
 * Refreshes a login. If the token was used before, the audit log records that the login ended, because one of the two
 * holders may have stolen it.
 *
 * @throws ApiError 401 when the token was already used, has expired or is unknown.
 */
export async function refreshSession(ctx: DeveloperSessionParts, token: string, origin: CallOrigin): Promise<Session> {
  await endWithoutSecondFactor(ctx, token, origin);
  const outcome = await loginsOf(ctx).refresh(token, origin, async (tx, { developerId, sessionId }, now) => {
    const change = { action: "session.end", target: `session:${sessionId}`, before: null, after: { reason: "reuse" } };
    await recordChange(tx, actorOf(developerId, origin), change, now);
  });
  if ("accountId" in outcome) return sessionOf(outcome.accountId, outcome);
  const { ended } = outcome;
  throw notSignedIn(
    ended === null ? undefined : `${ended.sessionId} has ended: its refresh token was old or has expired`,
  );
}

/**
 * Ends a login that began before the operator asked for a second factor, and without one.
 *
 * @throws ApiError 401 when it was one.
 */
async function endWithoutSecondFactor(ctx: DeveloperSessionParts, token: string, origin: CallOrigin): Promise<void> {
  const required = ctx.config.signIn.requireSecondFactor;
  const name = RefreshTokens.nameIn(token);
  if (required === "none" || name === null) return;
  const ofOperators = required === "operators";
  if (!(await lacksSecondFactor(ctx.storage.db, hashOfToken(name), { ofOperators }))) return;
  await loginsOf(ctx).end(token, async (tx, { developerId, sessionId }, now) => {
    const after = { reason: "second-factor" };
    const change = { action: "session.end", target: `session:${sessionId}`, before: null, after };
    await recordChange(tx, actorOf(developerId, origin), change, now);
  });
  throw notSignedIn("the login has no second factor, which is asked for now");
}

/** Ends the login that a refresh token names, current or not, with all its tokens. */
export async function endSession(ctx: DeveloperSessionParts, token: string, origin: CallOrigin): Promise<void> {
  await loginsOf(ctx).end(token, async (tx, { developerId, sessionId }, now) => {
    const change = { action: "session.end", target: `session:${sessionId}`, before: null, after: null };
    await recordChange(tx, actorOf(developerId, origin), change, now);
  });
}

/**
 * The developer whose access token this is.
 *
 * @throws ApiError 401 when the token is unknown or expired.
 */
export async function developerOfToken(
  ctx: Pick<DeveloperSessionParts, "storage" | "clock">,
  token: string,
): Promise<Developer> {
  if (!/^[\w-]{1,128}$/.test(token)) throw notSignedIn();
  const developer = await findDeveloperOfToken(ctx.storage.db, hashOfToken(token), ctx.clock.now());
  if (developer === null) throw notSignedIn();
  return developer;
}

function loginsOf(ctx: DeveloperSessionParts): Logins<{ developerId: string; sessionId: string }> {
  const { accessTokenTtlMs, refreshTtlMs } = ctx.config.console;
  return new Logins(ctx, "console", DEVELOPER_LOGINS, { accessMs: accessTokenTtlMs, refreshMs: refreshTtlMs });
}

function sessionOf(developerId: string, { accessToken, expiresAt, refreshToken }: GivenTokens): Session {
  return { login: { accessToken, expiresAt, developerId }, refreshToken };
}

/** @param reason goes to the log only. */
function notSignedIn(reason?: string): ApiError {
  return new ApiError("NOT_SIGNED_IN", reason === undefined ? {} : { reason });
}

function actorOf(developerId: string, { address }: CallOrigin): Actor {
  return { type: "DEVELOPER", id: developerId, address };
}
