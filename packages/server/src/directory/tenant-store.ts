import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/schema.ts";

/** A tenant: an enterprise whose members use the messenger. */
export interface Tenant {
  tenantId: string;
  name: string;
}

const selectTenant = prepared<{ tenantId: string }>()((db, param) =>
  db.selectFrom("tenants").select(["tenant_id as tenantId", "name"]).where("tenant_id", "=", param("tenantId")),
);

/** The tenant; null when there is none. */
export async function findTenant(db: Db, tenantId: string): Promise<Tenant | null> {
  return (await selectTenant.first(db, { tenantId })) ?? null;
}

const selectMembership = prepared<{ developerId: string; tenantId: string }>()((db, param) =>
  db
    .selectFrom("developer_tenants")
    .select("tenant_id as tenantId")
    .where("developer_id", "=", param("developerId"))
    .where("tenant_id", "=", param("tenantId")),
);

/** Whether the developer works for the tenant. */
export async function isTenantOf(db: Db, developerId: string, tenantId: string): Promise<boolean> {
  return (await selectMembership.first(db, { developerId, tenantId })) !== undefined;
}
