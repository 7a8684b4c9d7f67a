import {
  CreateTenantBodySchema,
  DirectoryQuerySchema,
  TenantListSchema,
  TenantSchema,
  UpdateTenantBodySchema,
} from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";

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
