import { canonicalQuery } from "@portico/protocol";

/** The hash of no bytes. */
const HASH_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Lines of the canonical string, by number from 1. */
const PATH = 2;
const QUERY = 3;
const TIMESTAMP = 6;
const BODY_HASH = 8;

/** A canonical string that a client signed, as far as it is known. */
export interface SignedText {
  /** A line of which only is known that it differs is null. */
  lines: (string | null)[];
  /** What stands between the lines; a line feed alone is right. */
  joint: string;
  /** What differs besides the lines: the key of the HMAC, or how the signature is written. */
  outside: ("key" | "signature")[];
}

/** A canonical string as it should be. */
export function signedText(lines: readonly string[]): SignedText {
  return { lines: [...lines], joint: "\n", outside: [] };
}

/**
 * What a client signed that made these mistakes, which the service found by the signature that came: at most one in the
 * text or the key, and one in how the signature is written.
 *
 * @param due the eight lines as they should be.
 * @param rawQuery the query as it was sent, without the question mark.
 */
export function textOfMistakes(due: readonly string[], rawQuery: string, mistakes: readonly string[]): SignedText {
  const text = signedText(due);
  for (const mistake of mistakes) {
    if (mistake.startsWith("signature-")) text.outside.push("signature");
    else if (isKeyMistake(mistake)) text.outside.push("key");
    else apply(mistake, text, due, rawQuery);
  }
  return text;
}

const KEY_MISTAKES = [
  "secret-base64-decoded",
  "secret-hex-decoded",
  "secret-line-break",
  "key-and-text-swapped",
  "other-credential",
] as const;

/** Whether a mistake is one of the key, with which the eight lines themselves are right. */
export function isKeyMistake(mistake: string): mistake is (typeof KEY_MISTAKES)[number] {
  return KEY_MISTAKES.some((each) => each === mistake);
}

/** What stands between the lines, by mistake. */
const JOINTS: Readonly<Record<string, string>> = { "lines-by-crlf": "\r\n", "lines-by-escape": "\\n" };

function apply(mistake: string, text: SignedText, due: readonly string[], rawQuery: string): void {
  const at = (number: number) => due[number - 1] ?? "";
  const replace = (number: number, line: string | null) => {
    text.lines[number - 1] = line;
  };
  const joint = JOINTS[mistake];
  if (joint !== undefined) text.joint = joint;
  else if (mistake === "trailing-line-feed") text.lines.push("");
  else if (mistake === "method-lower-case") replace(1, at(1).toLowerCase());
  else if (mistake === "path-with-query") replace(PATH, `${at(PATH)}?${rawQuery}`);
  else if (mistake === "path-decoded") replace(PATH, decoded(at(PATH)));
  else if (mistake === "timestamp-in-seconds") replace(TIMESTAMP, String(Math.floor(Number(at(TIMESTAMP)) / 1_000)));
  else if (mistake.startsWith("query-")) replace(QUERY, queryOf(mistake, at(QUERY), rawQuery));
  else if (mistake.startsWith("body-")) replace(BODY_HASH, bodyHashOf(mistake, at(BODY_HASH)));
}

function queryOf(mistake: string, canonical: string, rawQuery: string): string | null {
  switch (mistake) {
    case "query-omitted":
      return "";
    case "query-as-sent":
      return rawQuery;
    case "query-unsorted":
      return rawQuery
        .split("&")
        .filter((segment) => segment !== "")
        .map(canonicalQuery)
        .join("&");
    case "query-decoded":
      return canonical.split("&").map(decoded).join("&");
    case "query-plus-for-space":
      return canonical.replaceAll("%20", "+");
    case "query-plus-taken-for-space":
      return canonicalQuery(rawQuery.replaceAll("+", "%20"));
    case "query-lower-case-escapes":
      return canonical.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    case "query-too-little-encoded":
      return canonical.replace(/%(21|27|28|29|2A)/g, decoded);
    case "query-with-question-mark":
      return `?${canonical}`;
    default:
      return null;
  }
}

/** Null for a hash of bytes that only the client knows. */
function bodyHashOf(mistake: string, due: string): string | null {
  switch (mistake) {
    case "body-hash-of-nothing":
      return HASH_OF_NOTHING;
    case "body-hash-omitted":
      return "";
    case "body-hash-upper-case":
      return due.toUpperCase();
    case "body-hash-base64":
      return btoa(due.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));
    default:
      return null;
  }
}

function decoded(text: string): string {
  return decodeURIComponent(text);
}

/**
 * A canonical string that a developer printed and pasted: with line feeds, with CR LF, or on one line with the two
 * characters that a program prints for a line feed.
 */
export function textOfPaste(paste: string): SignedText {
  if (!paste.includes("\n") && paste.split("\\n").length >= BODY_HASH) {
    return { lines: paste.split("\\n"), joint: "\\n", outside: [] };
  }
  const joint = paste.includes("\r\n") ? "\r\n" : "\n";
  return { lines: paste.split(joint), joint, outside: [] };
}
