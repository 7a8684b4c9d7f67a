import { CredentialListSchema } from "@portico/protocol/schemas";
import { listCredentials } from "../../../domain/applications/credential-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET apps/{appId}/credentials, newest first, each by the last four characters of its id. */
export const readCredentials: ConsoleRoute<never, never, typeof CredentialListSchema> = {
  method: "GET",
  url: "/apps/:appId/credentials",
  summary: "List an application's credentials",
  access: "viewer",
  value: CredentialListSchema,
  async handle({ storage, config, clock }, { app }) {
    return await listCredentials(storage.db, app.appId, config.limits.credentialGraceMs, clock.now());
  },
};
