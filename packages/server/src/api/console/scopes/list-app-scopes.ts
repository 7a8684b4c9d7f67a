import { AppScopeListSchema } from "@portico/protocol/schemas";
import { findScopes, scopeListOf } from "../../../domain/applications/scope-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/scopes: all that an application of its type may hold (docs/contract/applications.md#scopes). */
export const readAppScopes: ConsoleRoute<never, never, typeof AppScopeListSchema> = {
  method: "GET",
  url: "/apps/:appId/scopes",
  summary: "List the scopes that an application holds, has asked for and may ask for",
  access: "viewer",
  value: AppScopeListSchema,
  async handle({ storage }, { app: { appId, type } }) {
    return scopeListOf(type, await findScopes(storage.db, appId));
  },
};
