import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listCredentials as list } from "../../../domain/applications/credential-store.ts";
import type { LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/credentials, newest first, each shown by the last four characters of its id. */
export const listCredentials: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listCredentials, LimitParts> = {
  endpoint: CONSOLE_ENDPOINTS.listCredentials,
  async handle({ storage, config, clock }, { app }) {
    return await list(storage.db, app.appId, config.limits.credentialGraceMs, clock.now());
  },
};
