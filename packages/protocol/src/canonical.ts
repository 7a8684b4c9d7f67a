/** The query has no canonical form: a percent sequence is malformed or is not UTF-8. */
export class MalformedQueryError extends Error {
  override readonly name = "MalformedQueryError";
}

/** The parts of a request that its signature covers (docs/contract/signing.md). */
export interface SignedParts {
  /** HTTP method, in any case. */
  method: string;
  /** Request path as sent: still encoded, without the query, and without the host that an absolute form has. */
  path: string;
  /** The raw query as sent, without the question mark; empty when there is none. */
  rawQuery: string;
  appId: string;
  credentialId: string;
  /** Milliseconds since the epoch, as the text in the header. */
  timestamp: string;
  nonce: string;
  /** Lower-case hex SHA-256 of the raw body bytes. */
  bodyHash: string;
}

/** The scheme and the authority of a request target in absolute form. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * A request target in origin form: of one in absolute form (RFC 9112, section 3.2.2), as clients of forward proxies send
 * it, the path and the query as they stand. Any other target is unchanged.
 */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(ORIGIN, "");
  return rest.startsWith("/") || rest === target ? rest : `/${rest}`;
}

/**
 * The canonical form of a raw query (docs/contract/signing.md#the-canonical-query): decoded, sorted by name then value
 * by their UTF-8 bytes, re-encoded per RFC 3986. A raw `+` is a plus sign. Empty segments (`a=1&&b=2`) carry no
 * parameter.
 *
 * @throws MalformedQueryError when a percent sequence is malformed or is not UTF-8.
 */
export function canonicalQuery(rawQuery: string): string {
  if (rawQuery === "") return "";
  const pairs: [name: string, value: string][] = [];
  for (const segment of rawQuery.split("&")) {
    if (segment === "") continue;
    const equals = segment.indexOf("=");
    const name = equals === -1 ? segment : segment.slice(0, equals);
    const value = equals === -1 ? "" : segment.slice(equals + 1);
    pairs.push([percentDecode(name), percentDecode(value)]);
  }
  pairs.sort(([nameA, valueA], [nameB, valueB]) => compareUtf8(nameA, nameB) || compareUtf8(valueA, valueB));
  return pairs.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join("&");
}

/** The eight lines to sign (docs/contract/signing.md#the-text-that-is-signed). */
export function canonicalString(parts: SignedParts): string {
  return canonicalStringOf(parts, canonicalQuery(parts.rawQuery));
}

/** Like {@link canonicalString}, for a known canonical query. */
export function canonicalStringOf(parts: Omit<SignedParts, "rawQuery">, query: string): string {
  const { method, path, appId, credentialId, timestamp, nonce, bodyHash } = parts;
  return `${method.toUpperCase()}\n${path}\n${query}\n${appId}\n${credentialId}\n${timestamp}\n${nonce}\n${bodyHash}`;
}

function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new MalformedQueryError("malformed percent sequence in the query", { cause });
  }
}

/**
 * Encodes everything but unreserved characters (RFC 3986, section 2.3); encodeURIComponent leaves five others
 * unencoded.
 */
function percentEncode(text: string): string {
  try {
    return encodeURIComponent(text).replace(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  } catch (cause) {
    throw new MalformedQueryError("the query is not valid Unicode", { cause });
  }
}

/**
 * Compares two strings by their UTF-8 bytes, i.e. by code points. `<` compares UTF-16 units, in which the surrogates of
 * U+10000 and above come before U+E000 to U+FFFF.
 */
function compareUtf8(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return utf8Rank(unitA) - utf8Rank(unitB);
  }
  return a.length - b.length;
}

function utf8Rank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
