import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { insertTenant } from "../../../domain/directory/tenant-store.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** POST operator/tenants. */
export const createTenant: ConsoleRoute<typeof OPERATOR_ENDPOINTS.createTenant> = {
  endpoint: OPERATOR_ENDPOINTS.createTenant,
  async handle({ storage }, { audit, body }) {
    const tenant = { tenantId: body.tenantId ?? newId("t"), name: body.name };
    await storage.write(async (tx) => {
      if (!(await insertTenant(tx, tenant))) throw new ConsoleError("TENANT_ID_TAKEN");
      const { tenantId } = tenant;
      await audit(tx, { action: "tenant.create", target: `tenant:${tenantId}`, tenantId, before: null, after: tenant });
    });
    return tenant;
  },
};
