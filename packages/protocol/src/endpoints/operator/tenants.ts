import {
  CreatedScimTokenSchema,
  CreateScimTokenBodySchema,
  CreateTenantBodySchema,
  DirectoryQuerySchema,
  ScimTokenListSchema,
  TenantListSchema,
  TenantSchema,
  UpdateTenantBodySchema,
} from "../../schemas/index.ts";
import { type ConsoleEndpoint, NO_CONTENT } from "../console-endpoint.ts";

/** The tenants of the platform. */
export const OPERATOR_TENANT_ENDPOINTS = {
  listTenants: {
    method: "GET",
    path: "/api/open/console/v1/operator/tenants",
    summary: "List the tenants",
    access: "operator",
    query: DirectoryQuerySchema,
    value: TenantListSchema,
    errors: [],
  },
  createTenant: {
    method: "POST",
    path: "/api/open/console/v1/operator/tenants",
    summary: "Add a tenant",
    access: "operator",
    body: CreateTenantBodySchema,
    value: TenantSchema,
    errors: ["TENANT_ID_TAKEN"],
  },
  listScimTokens: {
    method: "GET",
    path: "/api/open/console/v1/operator/tenants/:tenantId/scim-tokens",
    summary: "List the tokens with which directories manage a tenant's people",
    access: "operator",
    value: ScimTokenListSchema,
    errors: ["TENANT_NOT_FOUND"],
  },
  createScimToken: {
    method: "POST",
    path: "/api/open/console/v1/operator/tenants/:tenantId/scim-tokens",
    summary: "Make a token for a tenant's directory (SCIM); it is shown this once",
    access: "operator",
    body: CreateScimTokenBodySchema,
    value: CreatedScimTokenSchema,
    errors: ["TENANT_NOT_FOUND", "SCIM_TOKENS_TOO_MANY"],
  },
  deleteScimToken: {
    method: "DELETE",
    path: "/api/open/console/v1/operator/tenants/:tenantId/scim-tokens/:tokenId",
    summary: "End a token of a tenant's directory",
    access: "operator",
    value: NO_CONTENT,
    errors: ["SCIM_TOKEN_NOT_FOUND"],
  },
  updateTenant: {
    method: "PATCH",
    path: "/api/open/console/v1/operator/tenants/:tenantId",
    summary: "Rename a tenant",
    access: "operator",
    body: UpdateTenantBodySchema,
    value: TenantSchema,
    errors: ["TENANT_NOT_FOUND"],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
