import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listAuditPage } from "../../common/console/audit-page.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/audit: all changes by people. */
export const listAudit: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listAudit> = {
  endpoint: OPERATOR_ENDPOINTS.listAudit,
  handle: ({ storage }, { query }) => listAuditPage(storage.lists, query),
};
