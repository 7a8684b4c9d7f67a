import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { findScopes, scopeListOf } from "../../../domain/applications/scope-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/**
 * GET apps/{appId}/scopes: all scopes that an application of its type may hold (docs/contract/applications.md#scopes).
 */
export const listAppScopes: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listAppScopes> = {
  endpoint: CONSOLE_ENDPOINTS.listAppScopes,
  async handle({ storage }, { app: { appId, type } }) {
    return scopeListOf(type, await findScopes(storage.db, appId));
  },
};
