import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { BOUNDS, type CallRefusal, canonicalQuery, canonicalStringOf, MalformedQueryError } from "@portico/protocol";
import { OPEN_HEADERS } from "@portico/protocol/signature";
import type { FastifyRequest } from "fastify";
import type { App, Credential } from "../../../domain/applications/app-directory.ts";
import { spoolBody } from "../../../domain/files/spool-body.ts";
import type { UploadSlot } from "../../../domain/files/temporary-files.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { type BufferedBody, NO_BODY } from "../../../platform/http/buffered-body.ts";
import { addressBlock } from "../../../platform/http/client-address.ts";
import { checkContentLength } from "../../../platform/http/raw-body.ts";
import type { AuthenticationParts } from "./gate-parts.ts";
import { signatureMismatch, unsignableQuery } from "./signature-refusal.ts";

/** A call with a verified signature. Its nonce has not been consumed yet. */
export interface AuthenticatedCall {
  app: App;
  credentialId: string;
  /** Epoch milliseconds, as signed. */
  timestamp: number;
  /** When the timestamp was compared with the clock, in epoch milliseconds. */
  checkedAt: number;
  nonce: string;
  /** Empty for an upload. The gate releases it after the call. */
  body: BufferedBody;
  bodyLength: number;
  /** Whether the complete body of an upload is at its place; the disk may be full. */
  isKept: boolean;
  /** The slot of an upload's body; the gate releases it after the call. */
  slot: UploadSlot | null;
  contentType: string | undefined;
}

/** How a route receives its body. */
export interface BodyRule {
  maxBytes: number;
  /** Whether the body is written to disk (after waiting for a slot) instead of being kept in memory. */
  spooled: boolean;
}

/** Header names as Node spells them. */
const HEADER = {
  appId: OPEN_HEADERS.appId.toLowerCase(),
  credentialId: OPEN_HEADERS.credentialId.toLowerCase(),
  timestamp: OPEN_HEADERS.timestamp.toLowerCase(),
  nonce: OPEN_HEADERS.nonce.toLowerCase(),
  signature: OPEN_HEADERS.signature.toLowerCase(),
};

interface SignatureHeaders {
  appId: string;
  credentialId: string;
  timestamp: string;
  nonce: string;
  signature: string;
}

/**
 * Steps 2 to 6 for a signed request (docs/contract/signing.md#what-the-service-checks-and-in-which-order), in this
 * order: announced length, headers and timestamp, application and state, credential, and only then the body and its
 * signature.
 *
 * @throws ApiError with the generic message and, for the logs, the true reason.
 */
export async function authenticate(
  ctx: AuthenticationParts,
  request: FastifyRequest,
  { maxBytes, spooled }: BodyRule,
): Promise<AuthenticatedCall> {
  const { raw } = request;
  let slot: UploadSlot | null = null;
  let held: BufferedBody | null = null;
  try {
    checkContentLength(raw, maxBytes);
    const headers = readHeaders(request);
    const now = ctx.clock.now();
    const timestamp = checkTimestamp(headers.timestamp, now, ctx.config.limits.timestampWindowMs);
    const address = addressBlock(request.clientAddress);
    const app = await ctx.bodies.beforeRead(raw, address, () => ctx.apps.find(headers.appId));
    if (app === null) throw unknownApplication(headers.appId, request);
    request.trace.app = app;
    if (app.status !== "ACTIVE") {
      const reason = `the application is ${app.status}`;
      throw new Refusal("APP_NOT_ACTIVE", { check: "app-state", details: { status: app.status } }, { reason });
    }
    const credential = findCredential(app, headers.credentialId, now, ctx.config.limits.credentialGraceMs);
    const contentType = raw.headers["content-type"];
    const { credentialId } = credential;
    const call = { app, credentialId, timestamp, checkedAt: now, nonce: headers.nonce, contentType };
    if (spooled) {
      // The waiting time reveals that the credential exists, but so does the fact that the body is read.
      slot = await acquireSlot(ctx, raw, app, address);
      const spooled = await spoolBody(raw, slot, maxBytes);
      verifySignature(request, headers, app, credential, { ...spooled, body: null });
      ctx.credentialUses.note(credentialId, now);
      const { bodyLength, isKept } = spooled;
      return { ...call, body: NO_BODY, bodyLength, isKept, slot };
    }
    // Until its signature is verified anybody may have sent the call, so its address counts, too.
    const sender = { caller: `APP ${app.appId}`, address };
    held = await ctx.bodies.read(raw, sender, maxBytes);
    const { bytes: body } = held;
    const bodyHash = hash("sha256", body, "hex");
    verifySignature(request, headers, app, credential, { body, bodyHash, bodyLength: body.length });
    ctx.credentialUses.note(credentialId, now);
    const parsing = ctx.bodies.parseHeavy(held, sender.caller, raw);
    if (parsing !== null) await parsing;
    return { ...call, body: held, bodyLength: body.length, isKept: true, slot: null };
  } catch (error) {
    held?.[Symbol.dispose]();
    await slot?.release();
    throw error;
  }
}

async function acquireSlot(
  { bodies, temporaryFiles }: AuthenticationParts,
  request: IncomingMessage,
  { appId }: App,
  address: string,
): Promise<UploadSlot> {
  const slot = temporaryFiles.acquire({ type: "APP", id: appId }, request);
  try {
    return await bodies.beforeRead(request, address, () => slot);
  } catch (error) {
    // It may still be on its way.
    slot.then((late) => late.release()).catch(() => {});
    throw error;
  }
}

/** The error for any 401: the caller sees one generic message, the logs get `reason` and part of `refusal`. */
export function unauthenticated(refusal: CallRefusal, reason: string): Refusal {
  return new Refusal("UNAUTHENTICATED", refusal, { reason });
}

/** One route tells its callers (docs/contract/customer-service.md#refusals). */
function unknownApplication(appId: string, { routeOptions }: FastifyRequest): Refusal {
  const { unknownApp = "UNAUTHENTICATED" } = routeOptions.config;
  const reason = "400002 unknown application";
  return new Refusal(unknownApp, { check: "application", details: { appId } }, { reason });
}

function readHeaders(request: FastifyRequest): SignatureHeaders {
  const header = (name: keyof typeof HEADER) => {
    const value = request.headers[HEADER[name]];
    if (typeof value !== "string" || value === "") {
      const details = { header: OPEN_HEADERS[name], problem: "missing", maxLength: null } as const;
      throw unauthenticated({ check: "headers", details }, `${OPEN_HEADERS[name]} is missing`);
    }
    return value;
  };
  const headers = {
    appId: header("appId"),
    credentialId: header("credentialId"),
    timestamp: header("timestamp"),
    nonce: header("nonce"),
    signature: header("signature"),
  };
  // Unknown ids are cached for a moment, so their length must be bounded.
  if (headers.appId.length > BOUNDS.idLength) throw unknownApplication(headers.appId, request);
  if (headers.nonce.length > BOUNDS.nonceLength) {
    const details = { header: OPEN_HEADERS.nonce, problem: "too-long", maxLength: BOUNDS.nonceLength } as const;
    const reason = `400004 the nonce is longer than ${BOUNDS.nonceLength} characters`;
    throw unauthenticated({ check: "headers", details }, reason);
  }
  return headers;
}

function checkTimestamp(received: string, serverTime: number, windowMs: number): number {
  const timestamp = /^\d{1,15}$/.test(received) ? Number(received) : null;
  const clockSkewMs = timestamp === null ? null : timestamp - serverTime;
  if (timestamp !== null && clockSkewMs !== null && Math.abs(clockSkewMs) <= windowMs) return timestamp;
  const reason =
    clockSkewMs === null
      ? "400004 the timestamp is not a whole number of milliseconds"
      : `400004 the timestamp is ${Math.abs(clockSkewMs)} ms ${clockSkewMs > 0 ? "ahead of" : "behind"} the server`;
  throw unauthenticated({ check: "timestamp", details: { received, serverTime, clockSkewMs, windowMs } }, reason);
}

function findCredential(app: App, credentialId: string, now: number, graceMs: number): Credential {
  const credential = app.credentials.get(credentialId);
  if (credential === undefined) {
    const details = { credentialId, problem: "unknown", rotatedAt: null, graceEndedAt: null } as const;
    throw unauthenticated({ check: "credential", details }, "400002 the application has no such credential");
  }
  const { rotatedAt } = credential;
  if (rotatedAt !== null && now >= rotatedAt + graceMs) {
    const details = { credentialId, problem: "expired", rotatedAt, graceEndedAt: rotatedAt + graceMs } as const;
    throw unauthenticated({ check: "credential", details }, "400002 the credential was rotated and its grace is over");
  }
  return credential;
}

/** A body that has been read into memory, or to disk (then null). */
interface ReadBody {
  body: Buffer | null;
  bodyHash: string;
  bodyLength: number;
}

function verifySignature(
  request: FastifyRequest,
  headers: SignatureHeaders,
  app: App,
  credential: Credential,
  { body, bodyHash, bodyLength }: ReadBody,
): void {
  const target = request.raw.url ?? "";
  const question = target.indexOf("?");
  const path = question === -1 ? target : target.slice(0, question);
  const rawQuery = question === -1 ? "" : target.slice(question + 1);
  const parts = { ...headers, method: request.method, path, bodyHash };
  let canonical: string;
  try {
    canonical = canonicalStringOf(parts, rawQuery === "" ? "" : canonicalQuery(rawQuery));
  } catch (error) {
    if (!(error instanceof MalformedQueryError)) throw error;
    const { "content-type": contentType } = request.headers;
    const call = { ...parts, rawQuery, body, contentType, credential, others: [] };
    throw unsignableQuery(error.message, call, bodyLength);
  }
  if (!credential.hmac.verifies(canonical, headers.signature)) {
    const { "content-type": contentType } = request.headers;
    const others = [...app.credentials.values()].filter((other) => other !== credential);
    throw signatureMismatch(canonical, { ...parts, rawQuery, body, contentType, credential, others }, bodyLength);
  }
}
