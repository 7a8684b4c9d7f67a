import { AuditListSchema, AuditQuerySchema } from "@portico/protocol/schemas";
import { readAuditPage } from "../../common/console/audit-page.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/audit: what people have changed, everywhere. */
export const readOperatorAudit: ConsoleRoute<never, typeof AuditQuerySchema, typeof AuditListSchema> = {
  method: "GET",
  url: "/operator/audit",
  summary: "Read the audit log, newest first",
  access: "operator",
  query: AuditQuerySchema,
  value: AuditListSchema,
  handle: ({ storage }, { query }) => readAuditPage(storage.lists, query),
};
