import { createHash, randomBytes } from "node:crypto";
import { ApiError, type Member, type QrScanned, type QrStatus } from "@portico/protocol";
import type { Change } from "../audit/audit-store.ts";
import type { Context } from "../context.ts";
import { type DeveloperOfMember, findDeveloperOfMember } from "../directory/developer-store.ts";
import type { Db } from "../storage/schema.ts";
import { findQrLogin, insertQrLogin, markConfirmed, markScanned, markUsed, type QrLogin } from "./qr-login-store.ts";
import { beginSession, type CallOrigin, type Session } from "./session.ts";

/*
 * A sign-in by QR code is PENDING until a member scans it, SCANNED until that member confirms it, CONFIRMED until whoever
 * began it asks for its status and is signed in by that, USED from then on. Each step is taken by a compare-and-set on the
 * state, so of several at once one takes it.
 */

const TOKEN = /^[\w-]{43}$/;
/** However late it is confirmed, whoever waits for that has so long to ask. */
const COLLECT_WITHIN_MS = 30_000;

const EXPIRED = { status: "expired", expireIn: 0 } as const;

/** Begins a sign-in: its token, of which the database keeps only the hash; null when there are too many already. */
export async function beginQrLogin(ctx: Context): Promise<string | null> {
  const token = randomBytes(32).toString("base64url");
  const now = ctx.clock.now();
  const expiresAt = now + ctx.config.console.qrTtlMs;
  const begun = await ctx.storage.write((tx) => insertQrLogin(tx, { hash: hashOf(token), expiresAt, now }));
  return begun ? token : null;
}

/** How far a sign-in is. Whoever asks first once it is confirmed is signed in, to others it has expired. */
export async function pollQrLogin(
  ctx: Context,
  token: string,
  origin: CallOrigin,
): Promise<{ status: QrStatus; session: Session | null }> {
  const now = ctx.clock.now();
  const found = await lookUp(ctx.storage.db, token, now);
  if (found === null || found.state === "USED") return { status: EXPIRED, session: null };
  const expireIn = secondsLeft(found, now);
  if (found.state === "PENDING") return { status: { status: "pending", expireIn }, session: null };
  if (found.state === "SCANNED") return { status: { status: "scanned", expireIn }, session: null };

  const session = await ctx.storage.write(async (tx) => {
    const developerId = await markUsed(tx, hashOf(token), now);
    return developerId === null ? null : beginSession(ctx, tx, { developerId, origin, method: "qr" });
  });
  if (session === null) return { status: EXPIRED, session };
  return { status: { status: "confirmed", expireIn, ...session.login }, session };
}

/**
 * A member scans the code of a sign-in; again changes nothing.
 *
 * @returns whom confirming it would sign in.
 * @throws ApiError 403 when it is not to be scanned by this member, or not any more.
 */
export async function scanQrLogin(ctx: Context, token: string, member: Member): Promise<QrScanned> {
  const now = ctx.clock.now();
  const { userId } = member;
  return await ctx.storage.write(async (tx) => {
    const developer = await developerOf(tx, member);
    const scanned = await markScanned(tx, { hash: hashOf(token), userId, developerId: developer.developerId, now });
    const found = await lookUp(tx, token, now);
    if (found === null || found.state === "USED") throw refused("二维码无效或已过期");
    if (!scanned) checkScannedBy(found, member);
    if (found.state === "CONFIRMED") throw refused("二维码已确认登录");
    return { status: "scanned", expireIn: secondsLeft(found, now), developer };
  });
}

/**
 * The member who has scanned the code of a sign-in confirms it; again changes nothing.
 *
 * @param audit writes the change to the audit log.
 * @throws ApiError 403 when it is not to be confirmed by this member, or not any more.
 */
export async function confirmQrLogin(
  ctx: Context,
  token: string,
  member: Member,
  audit: (tx: Db, change: Change) => Promise<void>,
): Promise<void> {
  const now = ctx.clock.now();
  const { userId, tenantId } = member;
  await ctx.storage.write(async (tx) => {
    const found = await lookUp(tx, token, now);
    if (found === null) throw refused("二维码无效或已过期");
    checkScannedBy(found, member);
    if (found.state !== "SCANNED") return;

    const { developerId } = await developerOf(tx, member);
    if (developerId !== found.developerId) throw refused("开发者账号已变更,请重新扫描二维码");
    const expiresAt = Math.max(found.expiresAt, now + COLLECT_WITHIN_MS);
    if (!(await markConfirmed(tx, { hash: hashOf(token), userId, expiresAt, now }))) return;
    await audit(tx, {
      action: "session.confirm",
      target: `developer:${developerId}`,
      tenantId,
      before: null,
      after: { method: "qr" },
    });
  });
}

/** @throws ApiError 403 */
function checkScannedBy({ userId }: QrLogin, member: Member): void {
  if (userId === null) throw refused("请先扫描二维码");
  if (userId !== member.userId) throw refused("二维码已被其他成员扫描");
}

/** @throws ApiError 403 when the member is nobody's developer. */
async function developerOf(tx: Db, { userId }: Member): Promise<DeveloperOfMember> {
  const developer = await findDeveloperOfMember(tx, userId);
  if (developer === null) throw refused("当前成员没有可登录的开发者账号");
  return developer;
}

async function lookUp(db: Db, token: string, now: number): Promise<QrLogin | null> {
  return TOKEN.test(token) ? await findQrLogin(db, hashOf(token), now) : null;
}

function secondsLeft({ expiresAt }: QrLogin, now: number): number {
  return Math.ceil((expiresAt - now) / 1_000);
}

function refused(message: string): ApiError {
  return new ApiError("FORBIDDEN", message);
}

/** Tokens are 32 random bytes, so a plain hash cannot be guessed back. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
