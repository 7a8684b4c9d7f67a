import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findRehearsal } from "../../../domain/applications/rehearsal-store.ts";
import type { LimitParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/rehearsal (docs/contract/console.md#rehearsing-faults). */
export const getRehearsal: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getRehearsal, LimitParts> = {
  endpoint: CONSOLE_ENDPOINTS.getRehearsal,
  async handle({ storage, config, clock }, { app }) {
    const allowed = config.environment === "test";
    return { allowed, rehearsal: allowed ? await findRehearsal(storage.db, app.appId, clock.now()) : null };
  },
};
