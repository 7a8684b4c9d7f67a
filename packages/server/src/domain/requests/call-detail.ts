import type { KeyObject } from "node:crypto";
import type { CallRefusal } from "@portico/protocol";

/** What is stored about a refused call besides its record. Never a body, a signature or a secret. */
export interface CallDetail {
  /** The reason of the refusal, as text. */
  reason: string;
  refusal: CallRefusal;
  /** The raw query string; null when there was none. */
  query: string | null;
  /** By the names in {@link shownHeaders}. */
  headers: Record<string, string>;
}

/** Headers of a refused call that are stored. The signature is not: a reader of the log could replay it. */
const SHOWN_HEADERS = new Map(
  [
    "X-Open-App-Id",
    "X-Open-Credential-Id",
    "X-Open-Timestamp",
    "X-Open-Nonce",
    "Content-Type",
    "Content-Length",
    "Transfer-Encoding",
    "Accept",
    "User-Agent",
  ].map((name) => [name.toLowerCase(), name]),
);

const MAX_HEADER_LENGTH = 256;
const MAX_TEXT_LENGTH = 2_048;
/** Shorter secrets would match harmless text by accident. */
const MIN_SECRET_LENGTH = 8;
const BLANK = "(secret)";

/** The headers to store, from Node's list of alternating names and values. The first of repeated headers is used. */
export function shownHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const shown: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = SHOWN_HEADERS.get(rawHeaders[index]?.toLowerCase() ?? "");
    if (name !== undefined) shown[name] ??= (rawHeaders[index + 1] ?? "").slice(0, MAX_HEADER_LENGTH);
  }
  return shown;
}

/**
 * The JSON text to store for a refused call; each text in it is truncated.
 *
 * @param keys the application's secrets; where a caller has put one of them into a header or the query by mistake, it
 * is blanked.
 */
export function writeDetail(detail: CallDetail, keys: Iterable<KeyObject>): string {
  const text = JSON.stringify(detail, (_name, value) => (typeof value === "string" ? cut(value) : value));
  return blankSecrets(text, keys, (secrets) =>
    JSON.stringify(detail, (_name, value) => (typeof value === "string" ? cut(blank(value, secrets)) : value)),
  );
}

/** The path of a refused call, with secrets blanked as in its detail. */
export function blankedPath(path: string, keys: Iterable<KeyObject>): string {
  return blankSecrets(path, keys, (secrets) => blank(path, secrets));
}

/** Parses the output of {@link writeDetail}; null for a call that was not refused. */
export function parseDetail(text: string | null): CallDetail | null {
  return text === null ? null : (JSON.parse(text) as CallDetail);
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
}

/** Returns `text` itself when it contains none of the secrets (nearly always), otherwise the result of `replace`. */
function blankSecrets(text: string, keys: Iterable<KeyObject>, replace: (secrets: string[]) => string): string {
  const found: string[] = [];
  for (const key of keys) {
    const secret = key.export().toString("utf8");
    if (secret.length < MIN_SECRET_LENGTH) continue;
    const spellings = [...new Set([secret, encodeURIComponent(secret), Buffer.from(secret).toString("latin1")])];
    if (spellings.some((spelling) => text.includes(JSON.stringify(spelling).slice(1, -1)))) found.push(...spellings);
  }
  return found.length === 0 ? text : replace(found);
}

function blank(text: string, secrets: string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, BLANK), text);
}
