import { createHash, randomBytes } from "node:crypto";
import { ApiError, type ConsoleLogin } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { type Actor, recordChange } from "../audit/audit-store.ts";
import type { CallOrigin, Developer } from "./developer.ts";
import {
  type EndedLogin,
  endLogin,
  findDeveloperOfToken,
  insertAccessToken,
  insertLogin,
  isLogin,
  type LoginRotation,
  lockForLogin,
  rotateLogin,
} from "./developer-login-store.ts";

/** The dependencies of the developers' sign-in. */
export interface DeveloperSessionParts {
  storage: Storage;
  clock: Clock;
  config: Config;
}

/** The result of a login or a refresh: the answer, and the refresh token for the cookie. */
export interface Session {
  login: ConsoleLogin;
  refreshToken: string;
}

/**
 * A refresh token is 48 random bytes in Base64URL. The first part names the login and never changes; the rest changes
 * with every refresh. So an old token can be recognised without storing any of them.
 */
const REFRESH_TOKEN = /^[\w-]{64}$/;
const NAME_BYTES = 18;
const REST_BYTES = 30;
const NAME_LENGTH = (NAME_BYTES * 4) / 3;

/** Whom to log in, from where, and how they were authenticated. */
interface SessionStart {
  developerId: string;
  origin: CallOrigin;
  method: "password" | "qr";
  /** The hash that the password was checked against; absent when the developer authenticated without a password. */
  passwordHash?: string | null;
}

/**
 * Logs in a developer who is already authenticated.
 *
 * @returns null when the password has changed meanwhile or the account is disabled.
 */
export async function beginSession(ctx: DeveloperSessionParts, tx: Db, start: SessionStart): Promise<Session | null> {
  const { developerId, origin, method, passwordHash } = start;
  if (!(await lockForLogin(tx, developerId, passwordHash))) return null;
  const refreshToken = newRefreshToken(randomBytes(NAME_BYTES).toString("base64url"));
  const rotation = rotationTo(ctx, refreshToken, origin);
  const access = newAccessToken(ctx);
  const sessionId = await insertLogin(tx, developerId, rotation);
  await insertAccessToken(tx, rotation.loginId, access);
  const change = { action: "session.start", target: `session:${sessionId}`, before: null, after: { method } };
  await recordChange(tx, actorOf(developerId, origin), change, rotation.now);
  return { login: { accessToken: access.token, expiresAt: access.expiresAt, developerId }, refreshToken };
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
  const session = await ctx.storage.write((tx) => beginSession(ctx, tx, start));
  if (session === null) throw notSignedIn();
  return session;
}

/**
 * Refreshes a login. A refresh token can be used once. Reuse means that two parties hold it, so it ends the login and
 * all its tokens (RFC 9700, section 4.14.2).
 *
 * @throws ApiError 401 when the token was already used, has expired or is unknown.
 */
export async function refreshSession(ctx: DeveloperSessionParts, token: string, origin: CallOrigin): Promise<Session> {
  if (!REFRESH_TOKEN.test(token)) throw notSignedIn();
  const refreshToken = newRefreshToken(token.slice(0, NAME_LENGTH));
  const rotation = rotationTo(ctx, refreshToken, origin);
  // Anybody can send invented cookies; they must not cause a write.
  if (!(await isLogin(ctx.storage.db, rotation.loginId))) throw notSignedIn();
  const access = newAccessToken(ctx);
  const { developerId, ended } = await ctx.storage.write(async (tx) => {
    const renewed = await rotateLogin(tx, hashOf(token), rotation);
    if (renewed === null) return { developerId: null, ended: await endReused(tx, rotation) };
    await insertAccessToken(tx, rotation.loginId, access);
    return { developerId: renewed, ended: null };
  });
  if (developerId === null) {
    throw notSignedIn(
      ended === null ? undefined : `${ended.sessionId} has ended: its refresh token was old or has expired`,
    );
  }
  return { login: { accessToken: access.token, expiresAt: access.expiresAt, developerId }, refreshToken };
}

/**
 * Ends the login of a refresh token that is no longer valid. If the token was used before, the audit log records it,
 * because one of the two holders may have stolen it.
 */
async function endReused(tx: Db, { loginId, now, origin }: LoginRotation): Promise<EndedLogin | null> {
  const ended = await endLogin(tx, loginId);
  if (ended !== null && ended.expiresAt > now) {
    const target = `session:${ended.sessionId}`;
    const change = { action: "session.end", target, before: null, after: { reason: "reuse" } };
    await recordChange(tx, actorOf(ended.developerId, origin), change, now);
  }
  return ended;
}

/** Ends the login that a refresh token names, current or not, with all its tokens. */
export async function endSession(ctx: DeveloperSessionParts, token: string, origin: CallOrigin): Promise<void> {
  if (!REFRESH_TOKEN.test(token)) return;
  const loginId = hashOf(token.slice(0, NAME_LENGTH));
  if (!(await isLogin(ctx.storage.db, loginId))) return;
  await ctx.storage.write(async (tx) => {
    const ended = await endLogin(tx, loginId);
    if (ended === null) return;
    const change = { action: "session.end", target: `session:${ended.sessionId}`, before: null, after: null };
    await recordChange(tx, actorOf(ended.developerId, origin), change, ctx.clock.now());
  });
}

/**
 * The developer whose access token this is.
 *
 * @throws ApiError 401 when the token is unknown or expired.
 */
export async function developerOfToken(ctx: DeveloperSessionParts, token: string): Promise<Developer> {
  if (!/^[\w-]{1,128}$/.test(token)) throw notSignedIn();
  const developer = await findDeveloperOfToken(ctx.storage.db, hashOf(token), ctx.clock.now());
  if (developer === null) throw notSignedIn();
  return developer;
}

/** @param reason goes to the log only. */
function notSignedIn(reason?: string): ApiError {
  return new ApiError("NOT_SIGNED_IN", reason === undefined ? {} : { reason });
}

function actorOf(developerId: string, { address }: CallOrigin): Actor {
  return { type: "DEVELOPER", id: developerId, address };
}

function newRefreshToken(name: string): string {
  return name + randomBytes(REST_BYTES).toString("base64url");
}

function rotationTo({ clock, config }: DeveloperSessionParts, refreshToken: string, origin: CallOrigin): LoginRotation {
  const now = clock.now();
  return {
    loginId: hashOf(refreshToken.slice(0, NAME_LENGTH)),
    refreshHash: hashOf(refreshToken),
    now,
    expiresAt: now + config.console.refreshTtlMs,
    origin,
  };
}

function newAccessToken({ clock, config }: DeveloperSessionParts) {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashOf(token), expiresAt: clock.now() + config.console.accessTokenTtlMs };
}

/** Everything hashed here is random, so a hash without salt cannot be reversed by guessing. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
