import { canonicalString } from "@portico/protocol/canonical";
import { OPEN_HEADERS } from "@portico/protocol/open-headers";
import { hmacHex, ownBytes, sha256Hex } from "./hmac.ts";

/** A request to sign. */
export interface RequestToSign {
  /** HTTP method, in any case. */
  method: string;
  /** Request path as sent: percent-encoded, without the query. */
  path: string;
  /** The raw query as sent, without the question mark. Default: none. */
  rawQuery?: string | undefined;
  appId: string;
  credentialId: string;
  /** The app secret as it was shown. Never hand it to a page: sign where your users cannot look. */
  appSecret: string;
  /** The exact bytes that will be sent, or their text. Default: none. */
  body?: Uint8Array | string | undefined;
  /** Epoch milliseconds. Default: the current time. */
  timestamp?: number | undefined;
  /** Used once. Default: a random one. */
  nonce?: string | undefined;
}

/** A signed request, with the intermediate results that help to explain a mismatch. */
export interface SignedRequest {
  /** Lower-case hex SHA-256 of the body. */
  bodyHash: string;
  /** The text that was signed. */
  canonicalString: string;
  signature: string;
  /** The five `X-Open-*` headers to send. */
  headers: Record<string, string>;
}

/**
 * Signs a request of the open API (docs/contract/signing.md) by WebCrypto.
 *
 * @throws MalformedQueryError when a percent sequence of the query is malformed or is not UTF-8.
 * @throws TypeError when the secret is empty.
 *
 * @example
 * const { headers } = await signRequest({ method: "GET", path: "/api/open/v2/bot/apps", appId, credentialId, appSecret });
 * await fetch(`${baseUrl}/api/open/v2/bot/apps`, { headers });
 */
export async function signRequest(request: RequestToSign): Promise<SignedRequest> {
  const { method, path, rawQuery = "", appId, credentialId, appSecret, body = "" } = request;
  if (typeof appSecret !== "string" || appSecret === "") throw new TypeError("appSecret must be a non-empty string");
  const timestamp = String(request.timestamp ?? Date.now());
  const nonce = request.nonce ?? randomNonce();
  const bodyHash = await sha256Hex(ownBytes(body));
  const canonical = canonicalString({ method, path, rawQuery, appId, credentialId, timestamp, nonce, bodyHash });
  const signature = await hmacHex(appSecret, ownBytes(canonical));
  return {
    bodyHash,
    canonicalString: canonical,
    signature,
    headers: {
      [OPEN_HEADERS.appId]: appId,
      [OPEN_HEADERS.credentialId]: credentialId,
      [OPEN_HEADERS.timestamp]: timestamp,
      [OPEN_HEADERS.nonce]: nonce,
      [OPEN_HEADERS.signature]: signature,
    },
  };
}

/** 128 random bits. `crypto.randomUUID` is not there on pages without https. */
function randomNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
