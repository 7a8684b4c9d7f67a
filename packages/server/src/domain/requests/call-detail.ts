import type { KeyObject } from "node:crypto";
import type { CallRefusal } from "@portico/protocol";

/** What is kept of a refused call beside its record. Never a body, never a signature, never a secret. */
export interface CallDetail {
  /** Why it was refused, in words. */
  reason: string;
  refusal: CallRefusal;
  /** The query as it came; null when there was none. */
  query: string | null;
  /** By the names that {@link shownHeaders} lists. */
  headers: Record<string, string>;
}

/** Headers of a refused call that are kept. The signature is not: it could be sent again by whoever reads it. */
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
/** Shorter secrets than this would be found in innocent text. */
const MIN_SECRET_LENGTH = 8;
const BLANK = "(secret)";

/** The headers to keep, out of Node's list of names and values in turn. Of a repeated one the first counts. */
export function shownHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const shown: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = SHOWN_HEADERS.get(rawHeaders[index]?.toLowerCase() ?? "");
    if (name !== undefined) shown[name] ??= (rawHeaders[index + 1] ?? "").slice(0, MAX_HEADER_LENGTH);
  }
  return shown;
}

/**
 * The JSON text to keep of a refused call, each text in it of bounded length.
 *
 * @param keys of the application; where a caller has put one of these secrets into a header or the query, by mistake, it
 *   is blanked.
 */
export function writeDetail(detail: CallDetail, keys: Iterable<KeyObject>): string {
  const text = JSON.stringify(detail, (_name, value) => (typeof value === "string" ? cut(value) : value));
  return blankSecrets(text, keys, (secrets) =>
    JSON.stringify(detail, (_name, value) => (typeof value === "string" ? cut(blank(value, secrets)) : value)),
  );
}

/** The path of a refused call, with secrets blanked like those of its detail. */
export function blankedPath(path: string, keys: Iterable<KeyObject>): string {
  return blankSecrets(path, keys, (secrets) => blank(path, secrets));
}

/** Reads what {@link writeDetail} wrote; null for a call that was not refused. */
export function parseDetail(text: string | null): CallDetail | null {
  return text === null ? null : (JSON.parse(text) as CallDetail);
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
}

/** `text` itself when there is none of the secrets in it, which is nearly always; else what `replace` makes of it. */
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
