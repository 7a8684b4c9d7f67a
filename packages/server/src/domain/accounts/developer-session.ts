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

/** What the sign-ins of developers need. */
export interface DeveloperSessionParts {
  storage: Storage;
  clock: Clock;
  config: Config;
}

/** What a login or a refresh gives: the answer, and the refresh token that goes into the cookie. */
export interface Session {
  login: ConsoleLogin;
  refreshToken: string;
}

/**
 * A refresh token is 48 random bytes in Base64URL. Its first part names the login and stays the same, the rest is new at
 * every refresh: so an old one is known for what it is without any of them being kept.
 */
const REFRESH_TOKEN = /^[\w-]{64}$/;
const NAME_BYTES = 18;
const REST_BYTES = 30;
const NAME_LENGTH = (NAME_BYTES * 4) / 3;

/** Who is to be logged in, from where, and by what they have shown who they are. */
interface SessionStart {
  developerId: string;
  origin: CallOrigin;
  method: "password" | "qr";
  /** What their password was checked against; left out when they have shown it otherwise. */
  passwordHash?: string | null;
}

/** Logs a developer in who has shown who they are; null when the password is another by now, or they have been shut out. */
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
 * Logs a developer in by their password.
 *
 * @param passwordHash what it was checked against; left out when it was not.
 * @throws ApiError 401 when that is another by now, or they have been shut out.
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
 * Renews a login. A refresh token is good once: an old one ends the login with all its tokens, for it means that two hold it
 * (RFC 9700, section 4.14.2).
 *
 * @throws ApiError 401 when the token is old, expired or nobody's.
 */
export async function refreshSession(ctx: DeveloperSessionParts, token: string, origin: CallOrigin): Promise<Session> {
  if (!REFRESH_TOKEN.test(token)) throw notSignedIn();
  const refreshToken = newRefreshToken(token.slice(0, NAME_LENGTH));
  const rotation = rotationTo(ctx, refreshToken, origin);
  // Anybody can make cookies up: these are to cost no write.
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
 * Ends the login of a refresh token that is good no more; when it is an old one, the audit log tells of it, for then one of
 * two who hold the login is a thief.
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

/** Ends the login that a refresh token names, old or not, with all its tokens. */
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
 * @throws ApiError 401 when it is nobody's or has expired.
 */
export async function developerOfToken(ctx: DeveloperSessionParts, token: string): Promise<Developer> {
  if (!/^[\w-]{1,128}$/.test(token)) throw notSignedIn();
  const developer = await findDeveloperOfToken(ctx.storage.db, hashOf(token), ctx.clock.now());
  if (developer === null) throw notSignedIn();
  return developer;
}

/** @param reason for the log. */
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

/** All that is hashed is random, so a plain hash cannot be guessed back. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
