import { isScope, SCOPE_NAMES, type Scope } from "@portico/protocol";
import { closestMatch } from "leven";
import { MAX_SLIPS, UsageError } from "./command.ts";
import { type ConsoleAnswer, unpromised } from "./console-exchange.ts";
import { listOf, memberOf, textOf } from "./json.ts";
import { columns, inOneLine, print, printableJson, table } from "./terminal.ts";

const SCOPE_HEADINGS = ["scope", "state", "risk", ""] as const;

/** Scopes as they stand on the command line, each by itself or some joined by commas. */
export function scopesOf(texts: readonly string[], name: string): Scope[] {
  return texts
    .flatMap((text) => text.split(","))
    .map((text) => {
      if (isScope(text)) return text;
      const meant = closestMatch(text, SCOPE_NAMES, { maxDistance: MAX_SLIPS });
      const hint = meant === undefined ? `one of ${SCOPE_NAMES.join(", ")}` : `did you mean "${meant}"?`;
      throw new UsageError(`${name}: no scope "${text}"; ${hint}`);
    });
}

/** A table of an application's scopes, out of the answer of the call for them. */
export function scopeLines(value: unknown): string[] {
  if (!Array.isArray(value)) unpromised("scopes");
  if (value.length === 0) return ["no scopes: an app of its type can hold none"];
  const rows = value.map((each) => [
    textOf(each, "scope") ?? "?",
    textOf(each, "state") ?? "?",
    textOf(each, "risk") ?? "?",
    memberOf(each, "defaultGranted") === true ? "granted to every app of its type" : "",
  ]);
  return table([SCOPE_HEADINGS, ...rows.map((row) => row.map(inOneLine))]);
}

/** The scopes that an application waits to be granted, out of a review. */
export function reviewScopes(review: unknown): string {
  const scopes = listOf(review, "scopes").map((each) => {
    if (typeof each === "string") return each;
    return textOf(each, "risk") === "high" ? `${textOf(each, "scope")} (high risk)` : (textOf(each, "scope") ?? "?");
  });
  return scopes.length === 0 ? "no scopes" : scopes.join(", ");
}

/** A new credential: the only time that it is seen. */
interface NewCredential {
  baseUrl: string;
  appId: string;
  credentialId: string;
  appSecret: string;
}

/** Reads the pair out of the answer of a call that makes one. */
export function newCredential(baseUrl: string, appId: string, { value }: ConsoleAnswer): NewCredential {
  return {
    baseUrl,
    appId,
    credentialId: textOf(value, "credentialId") ?? unpromised("a credential"),
    appSecret: textOf(value, "appSecret") ?? unpromised("a credential"),
  };
}

/** Prints a pair, as JSON so that it can serve as a profile. */
export function printCredential(credential: NewCredential, { json = false }: { json?: boolean | undefined }): void {
  if (json) print(printableJson(JSON.stringify(credential, null, 2)));
  else print(...columns(Object.entries(credential)).map(inOneLine));
}
