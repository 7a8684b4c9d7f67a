import type { TObject, TSchema } from "typebox";
import * as Type from "typebox";
import type { ErrorCode } from "../errors/index.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Who may make a call of the console API.
 *
 * - public: anybody, signed in or not;
 * - developer: whoever is signed in;
 * - viewer: a developer of the tenant of the application that the path names; to others it does not exist;
 * - owner: of these, the application's owner; the others are refused;
 * - operator: a developer who runs the platform.
 */
export type ConsoleAccess = "public" | "developer" | "viewer" | "owner" | "operator";

/** Whether a call must name a tenant of the developer's, any for an operator, in the X-Open-Tenant-Id header, or may. */
export type TenantRule = true | "optional";

/** One call of the console API, the operators' part of it included (docs/contract/console.md). */
export interface ConsoleEndpoint
  extends Endpoint<string, TObject | undefined, TSchema | undefined, TSchema, ConsoleAccess, ErrorCode> {
  /** Left out: the call is about no tenant. */
  readonly tenant?: TenantRule;
}

/** The value of a call that answers with 204 and no body. */
export const NO_CONTENT = Type.Null();

/** Errors of the console API that follow from who may make a call. */
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
