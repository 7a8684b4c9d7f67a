import { type AppScopeList, isScope, SCOPE_NAMES, type Scope } from "@portico/protocol";
import { closestMatch } from "leven";
import { MAX_SLIPS, UsageError } from "./command.ts";
import { columns, inOneLine, print, printableJson, table } from "./terminal.ts";

const SCOPE_HEADINGS = ["scope", "state", "risk", ""] as const;

/** Scopes on the command line, as separate arguments or joined by commas or blanks. */
export function scopesOf(texts: readonly string[], name: string): Scope[] {
  return texts
    .flatMap((text) => text.split(/[\s,]+/).filter((name) => name !== ""))
    .map((text) => {
      if (isScope(text)) return text;
      const meant = closestMatch(text, SCOPE_NAMES, { maxDistance: MAX_SLIPS });
      const hint = meant === undefined ? `one of ${SCOPE_NAMES.join(", ")}` : `did you mean "${meant}"?`;
      throw new UsageError(`${name}: no scope "${text}"; ${hint}`);
    });
}

/** A table of an application's scopes. */
export function scopeLines(scopes: AppScopeList): string[] {
  if (scopes.length === 0) return ["no scopes: an app of its type can hold none"];
  const rows = scopes.map(({ scope, state, risk, defaultGranted }) =>
    [scope, state, risk, defaultGranted ? "granted to every app of its type" : ""].map(inOneLine),
  );
  return table([SCOPE_HEADINGS, ...rows]);
}

/** The scopes that an application has requested; for operators with the risk of each. */
export function askedScopes(scopes: readonly (Scope | { scope: Scope; risk: "low" | "high" })[]): string {
  const names = scopes.map((each) => {
    if (typeof each === "string") return each;
    return each.risk === "high" ? `${each.scope} (high risk)` : each.scope;
  });
  return names.length === 0 ? "no scopes" : names.join(", ");
}

/** A new credential. Its secret is shown only once. */
interface NewCredential {
  baseUrl: string;
  appId: string;
  credentialId: string;
  appSecret: string;
}

/** Prints a credential; as JSON it can be used as a profile. */
export function printCredential(credential: NewCredential, { json = false }: { json?: boolean | undefined }): void {
  if (json) print(printableJson(JSON.stringify(credential, null, 2)));
  else print(...columns(Object.entries(credential)).map(inOneLine));
}
