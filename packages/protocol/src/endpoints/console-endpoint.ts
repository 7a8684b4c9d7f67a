import type { TObject, TSchema } from "typebox";
import * as Type from "typebox";
import type { ErrorCode } from "../errors/index.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Who may make a call of the console API.
 *
 * - public: everybody, signed in or not;
 * - developer: every signed-in developer;
 * - viewer: developers in the tenant of the application in the path; for others it does not exist;
 * - owner: only the application's owner; other viewers are refused;
 * - operator: developers who operate the platform.
 */
export type ConsoleAccess = "public" | "developer" | "viewer" | "owner" | "operator";

/**
 * Whether the X-Open-Tenant-Id header is required or optional. It must name a tenant of the developer, or, for an
 * operator, any tenant.
 */
export type TenantRule = true | "optional";

/** A call of the console API, including operators' calls (docs/contract/console.md). */
export interface ConsoleEndpoint
  extends Endpoint<string, TObject | undefined, TSchema | undefined, TSchema, ConsoleAccess, ErrorCode> {
  /** Left out when the call does not concern a tenant. */
  readonly tenant?: TenantRule;
}

/** The value of a call that answers 204 without a body. */
export const NO_CONTENT = Type.Null();

/** Errors that follow from the access rule of a call. */
const ACCESS_ERRORS = {
  public: ["CROSS_SITE_REQUEST"],
  developer: [],
  viewer: ["APP_NOT_FOUND"],
  owner: ["APP_NOT_FOUND", "NOT_APP_OWNER"],
  operator: ["NOT_OPERATOR"],
} as const satisfies Record<ConsoleAccess, readonly ErrorCode[]>;

/**
 * The errors that are specific to an endpoint: those that follow from its access and its tenant rule, then its own. The
 * errors of every call (`CONSOLE_CALL_ERRORS`) and of its input (`formErrors`) are not included.
 */
export function consoleErrorsOf({ access, tenant, errors }: ConsoleEndpoint): ErrorCode[] {
  const unknownTenant = access === "operator" ? "TENANT_NOT_FOUND" : "TENANT_FORBIDDEN";
  const tenantErrors = tenant === undefined ? [] : (["TENANT_REQUIRED", unknownTenant] as const);
  return [...new Set([...ACCESS_ERRORS[access], ...tenantErrors, ...errors])];
}
