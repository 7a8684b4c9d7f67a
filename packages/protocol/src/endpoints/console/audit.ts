import { AppAuditQuerySchema, AuditListSchema } from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";

/** The audit log of an application. */
export const AUDIT_ENDPOINTS = {
  listAudit: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/audit",
    summary: "Read an application's audit log, newest first",
    access: "viewer",
    query: AppAuditQuerySchema,
    value: AuditListSchema,
    errors: ["AUDIT_CURSOR_INVALID"],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
