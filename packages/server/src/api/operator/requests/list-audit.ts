import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { readAuditPage } from "../../common/console/audit-page.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/audit: what people have changed, everywhere. */
export const listAudit: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listAudit> = {
  endpoint: OPERATOR_ENDPOINTS.listAudit,
  handle: ({ storage }, { query }) => readAuditPage(storage.lists, query),
};
