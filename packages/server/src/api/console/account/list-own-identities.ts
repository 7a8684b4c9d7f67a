import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { listDeveloperIdentities } from "../../../domain/accounts/oidc/linked-identities.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET me/identities. */
export const listOwnIdentities: ConsoleRoute<typeof CONSOLE_ENDPOINTS.listOwnIdentities> = {
  endpoint: CONSOLE_ENDPOINTS.listOwnIdentities,
  async handle({ storage }, { developer }) {
    return { items: await listDeveloperIdentities(storage.db, developer.developerId) };
  },
};
