import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { findTenant } from "../../../domain/directory/tenant-store.ts";
import { listScimTokens as list } from "../../../domain/scim/token-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/tenants/{tenantId}/scim-tokens. */
export const listScimTokens: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listScimTokens> = {
  endpoint: OPERATOR_ENDPOINTS.listScimTokens,
  async handle({ storage }, { params }) {
    if ((await findTenant(storage.db, params.tenantId)) === null) throw new ConsoleError("TENANT_NOT_FOUND");
    return { items: await list(storage.db, params.tenantId) };
  },
};
