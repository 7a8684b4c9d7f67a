import { hash } from "node:crypto";
import { ApiError, BOUNDS, canonicalQuery, canonicalStringOf, MalformedQueryError } from "@portico/protocol";
import { OPEN_HEADERS, verifyHmac } from "@portico/protocol/signature";
import type { FastifyRequest } from "fastify";
import type { App, Credential } from "../applications/app-directory.ts";
import type { Context } from "../context.ts";
import type { UploadPlace } from "../files/temporary-files.ts";
import { checkContentLength, discardBody, readRawBody } from "../http/raw-body.ts";
import { spoolBody } from "../http/spool-body.ts";

/** A call whose signature has been verified. Its nonce is still to be used up. */
export interface AuthenticatedCall {
  app: App;
  /** Epoch milliseconds, as signed. */
  timestamp: number;
  nonce: string;
  /** Empty for an upload. */
  body: Buffer;
  /** Where the body of an upload lies; the gate leaves it after the call. */
  place: UploadPlace | null;
  contentType: string | undefined;
}

/** How a route takes its body. */
export interface BodyRule {
  maxBytes: number;
  /** Whether the body is written to disk, in its turn, instead of being held in memory. */
  spooled: boolean;
}

const NO_BODY = Buffer.alloc(0);

/** Header names as Node gives them. */
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
 * Steps 2 to 6 of a signed request's way (design, section 4), in their order: announced length, headers and timestamp,
 * application and its state, credential, and only then the body and the signature over it.
 *
 * @throws ApiError with the true reason beside the generic message.
 */
export async function authenticate(
  ctx: Context,
  request: FastifyRequest,
  { maxBytes, spooled }: BodyRule,
): Promise<AuthenticatedCall> {
  const { raw } = request;
  let place: UploadPlace | null = null;
  try {
    checkContentLength(raw, maxBytes);
    const headers = readHeaders(request);
    const now = ctx.clock.now();
    const timestamp = checkTimestamp(headers.timestamp, now, ctx.config.limits.timestampWindowMs);
    const app = await ctx.apps.find(headers.appId);
    if (app === null) throw unauthenticated("400002 unknown application");
    request.trace.appId = app.appId;
    if (app.status !== "ACTIVE") {
      throw new ApiError("APP_NOT_ACTIVE", undefined, { reason: `the application is ${app.status}` });
    }
    const credential = findCredential(app, headers.credentialId, now, ctx.config.limits.credentialGraceMs);
    const contentType = raw.headers["content-type"];
    const call = { app, timestamp, nonce: headers.nonce, contentType };
    if (spooled) {
      // To refuse for want of room would tell a stranger that the credential exists.
      place = await ctx.temporaryFiles.waitToEnter({ type: "APP", id: app.appId }, raw);
      verifySignature(request, headers, credential, await spoolBody(raw, place.bodyPath, maxBytes));
      return { ...call, body: NO_BODY, place };
    }
    const body = await readRawBody(raw, maxBytes);
    verifySignature(request, headers, credential, hash("sha256", body, "hex"));
    return { ...call, body, place: null };
  } catch (error) {
    if (!raw.readableEnded) discardBody(raw);
    await place?.leave();
    throw error;
  }
}

/** Any 401: the caller sees one message, the log sees `reason`. */
export function unauthenticated(reason: string): ApiError {
  return new ApiError("UNAUTHENTICATED", undefined, { reason });
}

function readHeaders(request: FastifyRequest): SignatureHeaders {
  const header = (name: keyof typeof HEADER) => {
    const value = request.headers[HEADER[name]];
    if (typeof value !== "string" || value === "") throw unauthenticated(`${OPEN_HEADERS[name]} is missing`);
    return value;
  };
  const headers = {
    appId: header("appId"),
    credentialId: header("credentialId"),
    timestamp: header("timestamp"),
    nonce: header("nonce"),
    signature: header("signature"),
  };
  // Unknown ids are remembered for a moment, so they must not be large.
  if (headers.appId.length > BOUNDS.idLength) throw unauthenticated("400002 unknown application");
  if (headers.nonce.length > BOUNDS.nonceLength) {
    throw unauthenticated(`400004 the nonce is longer than ${BOUNDS.nonceLength} characters`);
  }
  return headers;
}

function checkTimestamp(received: string, now: number, windowMs: number): number {
  const timestamp = /^\d{1,15}$/.test(received) ? Number(received) : Number.NaN;
  if (Number.isNaN(timestamp)) throw unauthenticated("400004 the timestamp is not a whole number of milliseconds");
  const aheadMs = timestamp - now;
  if (Math.abs(aheadMs) > windowMs) throw unauthenticated(`400004 the timestamp is ${aheadMs} ms ahead of the server`);
  return timestamp;
}

function findCredential(app: App, credentialId: string, now: number, graceMs: number): Credential {
  const credential = app.credentials.get(credentialId);
  if (credential === undefined) throw unauthenticated("400002 the application has no such credential");
  if (credential.rotatedAt !== null && now >= credential.rotatedAt + graceMs) {
    throw unauthenticated("400002 the credential was rotated and its grace is over");
  }
  return credential;
}

function verifySignature(request: FastifyRequest, headers: SignatureHeaders, credential: Credential, bodyHash: string) {
  const target = request.raw.url ?? "";
  const question = target.indexOf("?");
  const path = question === -1 ? target : target.slice(0, question);
  const parts = { ...headers, method: request.method, path, bodyHash };
  let canonical: string;
  try {
    canonical = canonicalStringOf(parts, question === -1 ? "" : canonicalQuery(target.slice(question + 1)));
  } catch (error) {
    if (error instanceof MalformedQueryError) throw unauthenticated(`400003 ${error.message}`);
    throw error;
  }
  if (!verifyHmac(credential.key, canonical, headers.signature)) {
    request.trace.canonicalString = canonical;
    throw unauthenticated("400003 the signature does not match");
  }
}
