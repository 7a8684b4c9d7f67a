import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listAuditPage } from "../../common/console/audit-page.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/audit: the changes of an application by people. */
export const listAudit: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listAudit> = {
  endpoint: CONSOLE_ENDPOINTS.listAudit,
  async handle({ storage }, { app, developer, query }) {
    const { items, nextBefore } = await listAuditPage(storage.lists, { ...query, appId: app.appId });
    // Developers must not see each other's IP addresses.
    const shown = items.map((entry) =>
      entry.actor.id === developer.developerId ? entry : { ...entry, address: null },
    );
    return { items: shown, nextBefore };
  },
};
