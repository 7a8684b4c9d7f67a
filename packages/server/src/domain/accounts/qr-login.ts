import { createHash, randomBytes } from "node:crypto";
import { ApiError, type Member, type QrScanned, type QrStatus } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import type { Change } from "../audit/audit-store.ts";
import type { CallOrigin } from "./developer.ts";
import { lockForLogin } from "./developer-login-store.ts";
import {
  type DeveloperOfMember,
  findDeveloperOfMember,
  lockSignIn,
  type MemberSignIn,
  signInOfToken,
} from "./developer-of-member.ts";
import type { DeveloperSessionParts, Session } from "./developer-session.ts";
import { findQrLogin, insertQrLogin, markConfirmed, markScanned, markUsed, type QrLogin } from "./qr-login-store.ts";
import { signIn } from "./second-factor/sign-in.ts";

/*
 * The states of a sign-in by QR code:
 * - PENDING until a member scans the code.
 * - SCANNED until the same member confirms it.
 * - CONFIRMED until the browser that began it polls the status; that poll signs the developer in.
 * - USED after that.
 * It is removed where the member's or the developer's logins are ended (pending-sign-ins.ts).
 * Each step is a compare-and-set on the state, so of several concurrent calls one succeeds. Each also decides anew which
 * developer the member may sign in (developer-of-member.ts), the last one with all locked that this depends on.
 *
 * The picture shows the code; the status is polled with the token. They differ because other people may see the screen:
 * if the code were enough to poll, the first of them to poll would be signed in. The code is the token's hash, and the
 * database stores the hash of the code. A member's client may send either one.
 */

/** After a confirmation the browser has at least this long to poll, however late the confirmation came. */
const COLLECT_WITHIN_MS = 30_000;

/** A member who is signed in to the messenger, by this token. */
interface SignedInMember {
  member: Member;
  accessToken: string;
}

const EXPIRED = { status: "expired", expireIn: 0 } as const;

/**
 * Begins a sign-in.
 *
 * @returns its token and its code (for the picture); null when there are too many already.
 */
export async function beginQrLogin(
  ctx: DeveloperSessionParts,
  origin: CallOrigin,
): Promise<{ token: string; code: string } | null> {
  const token = randomBytes(32).toString("base64url");
  const code = hashOf(token);
  const now = ctx.clock.now();
  const expiresAt = now + ctx.config.console.qrTtlMs;
  const begun = await ctx.storage.write((tx) => insertQrLogin(tx, { hash: hashOf(code), origin, expiresAt, now }));
  return begun ? { token, code } : null;
}

/**
 * The state of a sign-in. The first poll after the confirmation signs the developer in; later polls see it as expired.
 */
export async function pollQrLogin(
  ctx: DeveloperSessionParts,
  token: string,
  origin: CallOrigin,
): Promise<{ status: QrStatus; session: Session | null }> {
  const now = ctx.clock.now();
  const hash = hashOf(hashOf(token));
  const found = await findQrLogin(ctx.storage.db, [hash], now);
  if (found === null || found.state === "USED") return { status: EXPIRED, session: null };
  const expireIn = secondsLeft(found, now);
  if (found.state === "PENDING") return { status: { status: "pending", expireIn }, session: null };
  if (found.state === "SCANNED") return { status: { status: "scanned", expireIn }, session: null };

  const signedIn = await ctx.storage.write(async (tx) => {
    const { userId, memberSession: session } = found;
    // In the order in which all lock them: the member, the developer, what they have begun.
    const member = userId !== null && session !== null ? await lockSignIn(tx, { userId, session }) : null;
    const isOpen = found.developerId !== null && (await lockForLogin(tx, found.developerId));
    // Used up also where nobody may sign in by now: what changes later must not complete it.
    const developerId = await markUsed(tx, hash, now);
    if (member === null || !isOpen || developerId === null) return null;
    return await signIn(ctx, tx, { developerId, origin, method: "qr", member });
  });
  if (signedIn === null) return { status: EXPIRED, session: null };
  if ("second" in signedIn) return { status: { status: "confirmed", expireIn, ...signedIn.second }, session: null };
  const { session } = signedIn;
  return { status: { status: "confirmed", expireIn, ...session.login }, session };
}

/**
 * A member scans the code of a sign-in. Repeating it changes nothing.
 *
 * @returns the developer whom a confirmation would sign in, and where.
 * @throws ApiError 403 when this member may not scan it, or not any more.
 */
export async function scanQrLogin(
  ctx: DeveloperSessionParts,
  scanned: string,
  { member, accessToken }: SignedInMember,
): Promise<QrScanned> {
  const now = ctx.clock.now();
  const hashes = hashesOf(scanned);
  const { userId } = member;
  return await ctx.storage.write(async (tx) => {
    const { tenantId: _, ...developer } = await developerOf(ctx, tx, await signInOf(tx, userId, accessToken));
    const isFirst = await markScanned(tx, { hashes, userId, developerId: developer.developerId, now });
    const found = await findQrLogin(tx, hashes, now);
    if (found === null || found.state === "USED") throw new ApiError("QR_EXPIRED");
    if (!isFirst) checkScannedBy(found, member);
    if (found.state === "CONFIRMED") throw new ApiError("QR_ALREADY_CONFIRMED");
    const { address, userAgent } = found;
    return { status: "scanned", expireIn: secondsLeft(found, now), developer, origin: { address, userAgent } };
  });
}

/**
 * The member who scanned the code confirms the sign-in. Repeating it changes nothing.
 *
 * @param audit writes the change to the audit log.
 * @throws ApiError 403 when this member may not confirm it, or not any more.
 */
export async function confirmQrLogin(
  ctx: DeveloperSessionParts,
  scanned: string,
  { member, accessToken }: SignedInMember,
  audit: (tx: Db, change: Change) => Promise<void>,
): Promise<void> {
  const now = ctx.clock.now();
  const { userId, tenantId } = member;
  const hashes = hashesOf(scanned);
  await ctx.storage.write(async (tx) => {
    const found = await findQrLogin(tx, hashes, now);
    if (found === null) throw new ApiError("QR_EXPIRED");
    checkScannedBy(found, member);
    if (found.state !== "SCANNED") return;

    const signedIn = await signInOf(tx, userId, accessToken);
    const { developerId } = await developerOf(ctx, tx, signedIn);
    if (developerId !== found.developerId) throw new ApiError("QR_DEVELOPER_CHANGED");
    const expiresAt = Math.max(found.expiresAt, now + COLLECT_WITHIN_MS);
    if (!(await markConfirmed(tx, { hashes, ...signedIn, expiresAt, now }))) return;
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
  if (userId === null) throw new ApiError("QR_NOT_SCANNED");
  if (userId !== member.userId) throw new ApiError("QR_SCANNED_BY_OTHER");
}

/** @throws ApiError 401 when the sign-in has ended, which may not be known everywhere yet. */
async function signInOf(tx: Db, userId: string, accessToken: string): Promise<MemberSignIn> {
  const signedIn = await signInOfToken(tx, userId, accessToken);
  if (signedIn === null) throw new ApiError("NOT_SIGNED_IN");
  return signedIn;
}

/** @throws ApiError 403 when no developer account belongs to the member. */
async function developerOf(
  { config }: Pick<DeveloperSessionParts, "config">,
  tx: Db,
  signedIn: MemberSignIn,
): Promise<DeveloperOfMember> {
  const developer = await findDeveloperOfMember(tx, config, signedIn);
  if (developer === null) throw new ApiError("QR_MEMBER_NOT_A_DEVELOPER");
  return developer;
}

function secondsLeft({ expiresAt }: QrLogin, now: number): number {
  return Math.ceil((expiresAt - now) / 1_000);
}

/** The hashes of the text as a code and as a token: the two look alike, and a client may send either. */
function hashesOf(scanned: string): string[] {
  return [hashOf(scanned), hashOf(hashOf(scanned))];
}

/** A token is 32 random bytes, so a hash without salt cannot be reversed by guessing. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
