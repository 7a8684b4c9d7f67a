import { OPEN_HEADERS } from "@portico/protocol/signature";
import type { Parameter, Reference, Schema } from "./openapi.ts";

/** Names of the security schemes. */
export const SIGNATURE = OPEN_HEADERS.appId;
export const BEARER = "bearer";
export const MEMBER_COOKIE = "memberCookie";
export const CONSOLE_COOKIE = "consoleCookie";

export const SECURITY_SCHEMES: Record<string, Schema> = {
  [SIGNATURE]: {
    type: "apiKey",
    in: "header",
    name: OPEN_HEADERS.appId,
    description: "The calling application; the call is signed with a credential of its own.",
  },
  [BEARER]: {
    type: "http",
    scheme: "bearer",
    description: "The accessToken of a sign-in; in the widget's calls the visitorToken.",
  },
  [MEMBER_COOKIE]: {
    type: "apiKey",
    in: "cookie",
    name: "portico_member_refresh",
    description: "Set by a member's sign-in.",
  },
  [CONSOLE_COOKIE]: {
    type: "apiKey",
    in: "cookie",
    name: "open_refresh_token",
    description: "Set by a developer's sign-in.",
  },
};

/** The headers of a signed call besides the one with the appId, by the name of the component. */
const SIGNED_HEADERS: Record<string, Parameter> = {
  CredentialId: header(OPEN_HEADERS.credentialId, "The credential whose secret signs the call", "cred_demo_bot"),
  Timestamp: header(
    OPEN_HEADERS.timestamp,
    "Milliseconds since the epoch, within 300 s of the service's clock",
    "1767225600000",
  ),
  Nonce: header(OPEN_HEADERS.nonce, "Another one with each call", "b3f1c2d4e5a60718"),
  Signature: header(
    OPEN_HEADERS.signature,
    "HMAC-SHA256 of the canonical string, keyed with the app secret, in lower-case hex",
    "3f1c0d6f5b8a9e7c4d2b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d",
  ),
};

const TENANT = {
  name: "X-Open-Tenant-Id",
  in: "header",
  description: "The tenant that the call concerns; one of the developer's, for an operator any",
  schema: { type: "string" },
  example: "t_demo",
} as const;

/** Parameters that signed calls share. */
export const SIGNED_SHARED = SIGNED_HEADERS;

/** Parameters that calls of developers share. */
export const CONSOLE_SHARED: Record<string, Parameter> = {
  Tenant: { ...TENANT, required: true },
  TenantOptional: { ...TENANT, required: false },
};

/** The parameters of a signed call that are not in its endpoint. */
export const SIGNED_PARAMETERS: readonly Reference[] = Object.keys(SIGNED_HEADERS).map(parameter);

/** A reference to a shared parameter. */
export function parameter(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

function header(name: string, description: string, example: string): Parameter {
  return { name, in: "header", required: true, description, schema: { type: "string" }, example };
}
