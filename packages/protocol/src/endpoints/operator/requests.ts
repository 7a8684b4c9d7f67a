import { AuditListSchema, AuditQuerySchema, RequestExplanationSchema } from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";

/** The request log and the audit log of all applications. */
export const OPERATOR_REQUEST_ENDPOINTS = {
  getRequest: {
    method: "GET",
    path: "/api/open/console/v1/operator/requests/:reqNo",
    summary: "Explain what became of a signed call of any application",
    access: "operator",
    value: RequestExplanationSchema,
    errors: ["REQUEST_NOT_FOUND"],
  },
  listAudit: {
    method: "GET",
    path: "/api/open/console/v1/operator/audit",
    summary: "Read the audit log, newest first",
    access: "operator",
    query: AuditQuerySchema,
    value: AuditListSchema,
    errors: ["AUDIT_CURSOR_INVALID"],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
