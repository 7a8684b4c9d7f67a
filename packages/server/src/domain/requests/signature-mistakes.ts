import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import { canonicalQuery, canonicalStringOf, type SignedParts } from "@portico/protocol";
import type { Credential } from "../applications/app-directory.ts";

/** A credential as far as it explains a mistake. */
type SignatureKey = Omit<Credential, "hmac">;

/** A call with a wrong signature, and what is needed to analyse it. */
export interface MismatchedCall extends SignedParts {
  /** As received. */
  signature: string;
  /** The body; null when it was too large to be kept in memory. */
  body: Buffer | null;
  contentType: string | undefined;
  credential: SignatureKey;
  /** The application's other credentials. */
  others: readonly SignatureKey[];
}

/** Common mistakes of callers of the open API, each with its explanation. */
export const SIGNATURE_MISTAKES = {
  "signature-upper-case": "The signature was sent in upper-case hex; it has to be lower-case.",
  "signature-base64": "The signature was sent in Base64; it has to be lower-case hex.",
  "path-with-query": "Line 2 was signed as the path with its query; the query belongs on line 3 alone.",
  "path-decoded": "Line 2 was signed percent-decoded; it is the path exactly as sent.",
  "query-omitted": "Line 3 was signed empty although the call has a query.",
  "query-as-sent": "Line 3 was signed as the query was sent; its parameters have to be sorted and encoded anew.",
  "query-unsorted": "Line 3 was signed with its parameters unsorted; sort them by name, then by value.",
  "query-decoded": "Line 3 was signed with decoded names and values; encode them per RFC 3986 after sorting.",
  "query-plus-for-space": "Line 3 was signed with `+` for a space; a space is `%20`.",
  "query-plus-taken-for-space":
    "The query was sent with `+` and signed with `%20`; in a query that is sent, `+` is a plus sign.",
  "query-lower-case-escapes": "Line 3 was signed with escapes such as `%2f`; their digits have to be upper-case.",
  "query-too-little-encoded": "Line 3 was signed with one of `!'()*` as it is; these have to be encoded too.",
  "query-with-question-mark": "Line 3 was signed with the question mark before the query.",
  "body-hash-of-nothing": "Line 8 was signed as the hash of an empty body although a body was sent.",
  "body-hash-omitted": "Line 8 was signed empty; without a body it is the SHA-256 of no bytes.",
  "body-unhashed": "Line 8 was signed as the body itself; it is the body's SHA-256.",
  "body-hash-upper-case": "Line 8 was signed in upper-case hex; it has to be lower-case.",
  "body-hash-base64": "Line 8 was signed in Base64; it has to be lower-case hex.",
  "body-reformatted":
    "The body that was signed holds the same JSON as the one that was sent, in other spelling (spaces, escapes). Sign the " +
    "very bytes that are sent.",
  "body-line-break":
    "The body that was signed has a line break at its end and the one that was sent has none, or vice versa.",
  "timestamp-in-seconds": "Line 6 was signed in seconds; sign the header's value, which is in milliseconds.",
  "method-lower-case": "Line 1 was signed in lower case; it has to be upper-case.",
  "trailing-line-feed": "The text that was signed ends in a line feed; there is none after line 8.",
  "lines-by-crlf": "The lines were joined by CR LF; they are joined by a line feed alone.",
  "lines-by-escape": "The lines were joined by a backslash and an n; they are joined by a line feed.",
  "secret-base64-decoded": "The secret was Base64-decoded; its characters as shown are the key.",
  "secret-hex-decoded": "The secret was hex-decoded; its characters as shown are the key.",
  "secret-line-break": "The secret was used with a line break at its end, as it is read from a file.",
  "key-and-text-swapped": "The secret and the text were given to the HMAC in each other's place.",
  "other-credential": "The signature was made with the secret of another credential of the application.",
} as const;
export type SignatureMistake = keyof typeof SIGNATURE_MISTAKES;

/** Larger bodies are not tried in other spellings. */
const MAX_RESPELLED_BYTES = 64 * 1024;
/** How many of the application's other credentials are tried, newest first. */
const MAX_OTHERS = 4;
/** Longer queries are not tried in other spellings. */
const MAX_QUERY_LENGTH = 4_096;

/**
 * Tries about forty common mistakes.
 *
 * @returns the mistakes that produce the received signature: at most one in the signed text or the key, and one in the
 * encoding of the signature; empty when none does. The result reveals nothing about the secret or the correct
 * signature. Call it after the answer was sent, because it takes time.
 */
export function findSignatureMistakes(call: MismatchedCall): SignatureMistake[] {
  const received = decodeSignature(call.signature);
  if (received === null) return [];
  const { tag, mistakes } = received;
  const matches = (key: KeyObject, text: string) => timingSafeEqual(hmac(key, text), tag);

  const due = canonicalStringOf(call, canonicalQuery(call.rawQuery));
  if (matches(call.credential.key, due)) return mistakes;
  for (const [mistake, text] of signedTexts(call, due)) {
    if (matches(call.credential.key, text)) return [mistake, ...mistakes];
  }
  for (const [mistake, key] of keys(call.credential.key)) {
    if (matches(key, due)) return [mistake, ...mistakes];
  }
  const secret = call.credential.key.export().toString("utf8");
  if (timingSafeEqual(hmac(createSecretKey(due, "utf8"), secret), tag)) return ["key-and-text-swapped", ...mistakes];
  for (const { credentialId, key } of call.others.slice(0, MAX_OTHERS)) {
    const itsOwn = canonicalStringOf({ ...call, credentialId }, canonicalQuery(call.rawQuery));
    if (matches(key, due) || matches(key, itsOwn)) return ["other-credential", ...mistakes];
  }
  return [];
}

/** Names the encoding of a signature. */
export function formOfSignature(signature: string): string {
  if (/^[0-9a-f]+$/.test(signature)) return "lower-case hex";
  if (/^[0-9A-F]+$/.test(signature)) return "upper-case hex";
  if (/^[0-9A-Fa-f]+$/.test(signature)) return "mixed-case hex";
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return "Base64";
  return "neither hex nor Base64";
}

function hmac(key: KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text, "utf8").digest();
}

/** The 32 bytes of a signature, and the mistakes in their encoding; null when it is not a signature. */
function decodeSignature(signature: string): { tag: Buffer; mistakes: SignatureMistake[] } | null {
  if (/^[0-9a-f]{64}$/.test(signature)) return { tag: Buffer.from(signature, "hex"), mistakes: [] };
  if (/^[0-9A-Fa-f]{64}$/.test(signature)) {
    return { tag: Buffer.from(signature, "hex"), mistakes: ["signature-upper-case"] };
  }
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(signature)) return null;
  return { tag: Buffer.from(signature, "base64"), mistakes: ["signature-base64"] };
}

type Variant<What> = [mistake: SignatureMistake, what: What];

/** Texts that may have been signed instead of the correct one. */
function* signedTexts(call: MismatchedCall, due: string): Generator<Variant<string>> {
  const query = canonicalQuery(call.rawQuery);
  const { path, rawQuery, bodyHash } = call;
  if (rawQuery !== "") {
    const target = `${path}?${rawQuery}`;
    for (const line3 of [query, ""]) yield ["path-with-query", canonicalStringOf({ ...call, path: target }, line3)];
    if (rawQuery.length <= MAX_QUERY_LENGTH) {
      for (const [mistake, line3] of queries(rawQuery, query)) yield [mistake, canonicalStringOf(call, line3)];
    }
  }
  if (path.includes("%")) yield ["path-decoded", canonicalStringOf({ ...call, path: decodeURIComponent(path) }, query)];
  for (const [mistake, line8] of bodyHashes(call)) {
    if (line8 !== bodyHash) yield [mistake, canonicalStringOf({ ...call, bodyHash: line8 }, query)];
  }
  const seconds = String(Math.floor(Number(call.timestamp) / 1_000));
  yield ["timestamp-in-seconds", canonicalStringOf({ ...call, timestamp: seconds }, query)];
  yield ["method-lower-case", due.replace(/^[A-Z]+/, (method) => method.toLowerCase())];
  yield ["trailing-line-feed", `${due}\n`];
  yield ["lines-by-crlf", due.replaceAll("\n", "\r\n")];
  yield ["lines-by-escape", due.replaceAll("\n", "\\n")];
}

function* queries(rawQuery: string, canonical: string): Generator<Variant<string>> {
  yield ["query-omitted", ""];
  const segments = rawQuery.split("&").filter((segment) => segment !== "");
  // Each segment by itself is in canonical form.
  yield ["query-unsorted", segments.map(canonicalQuery).join("&")];
  yield ["query-as-sent", rawQuery];
  const decoded = canonical.split("&").map(decodeURIComponent).join("&");
  yield ["query-decoded", decoded];
  yield ["query-decoded", segments.map((segment) => decodeURIComponent(segment)).join("&")];
  yield ["query-plus-for-space", canonical.replaceAll("%20", "+")];
  yield ["query-plus-taken-for-space", canonicalQuery(rawQuery.replaceAll("+", "%20"))];
  yield ["query-lower-case-escapes", canonical.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())];
  yield ["query-too-little-encoded", canonical.replace(/%(21|27|28|29|2A)/g, decodeURIComponent)];
  yield ["query-with-question-mark", `?${canonical}`];
}

/** Variants of line 8 (the body hash). */
function* bodyHashes({ bodyHash, body, contentType }: MismatchedCall): Generator<Variant<string>> {
  yield ["body-hash-of-nothing", hash("sha256", "", "hex")];
  yield ["body-hash-omitted", ""];
  yield ["body-hash-upper-case", bodyHash.toUpperCase()];
  yield ["body-hash-base64", Buffer.from(bodyHash, "hex").toString("base64")];
  if (body === null || body.length === 0 || body.length > MAX_RESPELLED_BYTES) return;
  yield ["body-unhashed", body.toString("utf8")];
  for (const lineBreak of ["\n", "\r\n"]) {
    yield ["body-line-break", hash("sha256", Buffer.concat([body, Buffer.from(lineBreak)]), "hex")];
    if (body.toString("latin1").endsWith(lineBreak)) {
      yield ["body-line-break", hash("sha256", body.subarray(0, body.length - lineBreak.length), "hex")];
    }
  }
  if (contentType?.toLowerCase().startsWith("multipart/")) return;
  for (const spelling of spellings(body.toString("utf8"))) {
    yield ["body-reformatted", hash("sha256", spelling, "hex")];
  }
}

/** A JSON text as common libraries serialize it; nothing when it is not JSON. */
function spellings(json: string): string[] {
  let compact: string;
  try {
    compact = JSON.stringify(JSON.parse(json));
  } catch {
    return [];
  }
  const inAscii = (text: string) =>
    text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  // Python writes a space after commas and colons.
  const spaced = compact.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token.length === 1 ? `${token} ` : token));
  // PHP escapes slashes.
  return [compact, spaced, inAscii(compact), inAscii(spaced), inAscii(compact).replaceAll("/", "\\/")];
}

/** Keys that may have been used instead of the secret as shown. */
function* keys(key: KeyObject): Generator<Variant<KeyObject>> {
  const secret = key.export().toString("utf8");
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(secret)) {
    yield ["secret-base64-decoded", createSecretKey(secret, "base64")];
  }
  if (/^([0-9A-Fa-f]{2})+$/.test(secret)) yield ["secret-hex-decoded", createSecretKey(secret, "hex")];
  for (const lineBreak of ["\n", "\r\n"]) yield ["secret-line-break", createSecretKey(secret + lineBreak, "utf8")];
}
