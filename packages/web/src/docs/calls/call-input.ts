import type { CallToMake, Proof } from "../../shared/calls/make-call.ts";
import type { Call, Parameter } from "../reference/api-document.ts";
import type { Credentials } from "./credentials.ts";

/** The fields of the credentials that a kind of proof takes. */
export const PROOF_FIELDS = {
  signature: ["appId", "credentialId", "appSecret"],
  bearer: ["accessToken"],
  cookie: [],
  nothing: [],
} as const satisfies Record<string, readonly (keyof Credentials)[]>;

/** How a caller proves who they are. */
export type ProofKind = keyof typeof PROOF_FIELDS;

/** The proof that a call takes; the first, where it takes several. */
export function proofKindOf({ operation }: Call): ProofKind {
  const [requirement] = operation.security ?? [];
  const [scheme] = Object.keys(requirement ?? {});
  if (scheme === undefined) return "nothing";
  if (scheme === "bearer") return "bearer";
  return scheme.endsWith("Cookie") ? "cookie" : "signature";
}

/** The proof that is made of what has been typed. */
export function proofOf(kind: ProofKind, { appId, credentialId, appSecret, accessToken }: Credentials): Proof {
  if (kind === "bearer") return { accessToken: accessToken.trim() };
  if (kind !== "signature") return null;
  return { appId: appId.trim(), credentialId: credentialId.trim(), appSecret: appSecret.trim() };
}

/** The path, the query and the headers of a call, with what has been typed for its parameters. */
export function addressOf(
  { path }: Call,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): Pick<CallToMake, "path" | "query"> & { headers: Record<string, string> } {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let filled = path;
  for (const { name, in: place } of parameters) {
    const value = values[name]?.trim() ?? "";
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "" && place === "query") query.set(name, value);
    else if (value !== "") headers[name] = value;
  }
  return { path: filled, query: query.toString(), headers };
}

/** Whether a text is JSON. */
export function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
