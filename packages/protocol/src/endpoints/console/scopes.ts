import { AppScopeListSchema, RequestScopesBodySchema } from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";

/** An application's scopes (docs/contract/applications.md#scopes). */
export const SCOPE_ENDPOINTS = {
  listAppScopes: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/scopes",
    summary: "List the scopes that an application holds, has asked for and may ask for",
    access: "viewer",
    value: AppScopeListSchema,
    errors: [],
  },
  requestScopes: {
    method: "POST",
    path: "/api/open/console/v1/apps/:appId/scopes",
    summary: "Ask for scopes",
    access: "owner",
    body: RequestScopesBodySchema,
    value: AppScopeListSchema,
    errors: ["SCOPE_NOT_FOR_APP_TYPE", "DISABLED_APP_SCOPES"],
  },
  dropScope: {
    method: "DELETE",
    path: "/api/open/console/v1/apps/:appId/scopes/:scope",
    summary: "Give up a scope",
    access: "owner",
    value: AppScopeListSchema,
    errors: ["SCOPE_UNKNOWN", "SCOPE_NOT_HELD", "SCOPE_IS_DEFAULT"],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
