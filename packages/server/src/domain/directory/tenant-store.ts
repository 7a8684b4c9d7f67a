import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { select } from "../../platform/storage/search/search.ts";
import type { Developer } from "../accounts/developer.ts";
import { type PageRequest, rangeOf } from "./page-request.ts";

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

/** Whether this is the only tenant of the service. Two look-ups by the key: one of what differs would read all of it. */
export async function isOnlyTenant(db: Db, tenantId: string): Promise<boolean> {
  if ((await findTenant(db, tenantId)) === null) return false;
  const others = (["<", ">"] as const).map((side) =>
    db.selectFrom("tenants").select("tenant_id").where("tenant_id", side, tenantId).limit(1).executeTakeFirst(),
  );
  return (await Promise.all(others)).every((other) => other === undefined);
}

/** A page of all tenants, by tenantId, and the total. */
export async function listTenants(
  db: Db,
  dialect: Dialect,
  { keyword, ...page }: PageRequest,
): Promise<{ items: Tenant[]; total: number }> {
  const { where, total } = await select(db, dialect, "tenants", { keyword });
  const { limit, offset } = rangeOf(page, total);
  const items = await db
    .selectFrom("tenants")
    .select(["tenant_id as tenantId", "name"])
    .where(where)
    .orderBy("tenant_id")
    .limit(limit)
    .offset(offset)
    .execute();
  return { items, total };
}

/** Those of the tenants that exist. */
export async function tenantsAmong(db: Db, tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (tenantIds.length === 0) return new Set();
  const rows = await db.selectFrom("tenants").select("tenant_id").where("tenant_id", "in", tenantIds).execute();
  return new Set(rows.map(({ tenant_id }) => tenant_id));
}

/** Inserts a tenant; false when the id is taken. */
export async function insertTenant(tx: Db, { tenantId, name }: Tenant): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("tenants")
    .values({ tenant_id: tenantId, name })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Locks the tenant's row until the transaction ends; an update locks a row on both engines. Null when there is no such
 * tenant.
 */
export async function lockTenant(tx: Db, tenantId: string): Promise<Tenant | null> {
  const row = await tx
    .updateTable("tenants")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("tenant_id", "=", tenantId)
    .returning(["tenant_id as tenantId", "name"])
    .executeTakeFirst();
  return row ?? null;
}

export async function renameTenant(tx: Db, { tenantId, name }: Tenant): Promise<void> {
  await tx.updateTable("tenants").set({ name }).where("tenant_id", "=", tenantId).execute();
}

const selectMembership = prepared<{ developerId: string; tenantId: string }>()((db, param) =>
  db
    .selectFrom("developer_tenants")
    .select("tenant_id as tenantId")
    .where("developer_id", "=", param("developerId"))
    .where("tenant_id", "=", param("tenantId")),
);

/** Whether the developer belongs to the tenant, and their login may see it. */
export async function isTenantOf(
  db: Db,
  { developerId, tenantId: only }: Pick<Developer, "developerId" | "tenantId">,
  tenantId: string,
): Promise<boolean> {
  if (only !== null && only !== tenantId) return false;
  return (await selectMembership.first(db, { developerId, tenantId })) !== undefined;
}
