import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { differencesOf } from "../../../domain/audit/differences.ts";
import { lockTenant, renameTenant } from "../../../domain/directory/tenant-store.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** PATCH operator/tenants/{tenantId}. */
export const updateTenant: ConsoleRoute<typeof OPERATOR_ENDPOINTS.updateTenant> = {
  endpoint: OPERATOR_ENDPOINTS.updateTenant,
  async handle({ storage }, { audit, body, params }) {
    const { tenantId } = params;
    return await storage.write(async (tx) => {
      const tenant = await lockTenant(tx, tenantId);
      if (tenant === null) throw new ConsoleError("TENANT_NOT_FOUND");
      const changed = { ...tenant, name: body.name };
      const differences = differencesOf(tenant, changed);
      if (differences === null) return tenant;
      await renameTenant(tx, changed);
      await audit(tx, { action: "tenant.update", target: `tenant:${tenantId}`, tenantId, ...differences });
      return changed;
    });
  },
};
