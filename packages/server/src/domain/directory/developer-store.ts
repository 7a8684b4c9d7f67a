import type { DirectoryDeveloper } from "@portico/protocol";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { select } from "../../platform/storage/search/search.ts";
import { endConfinedLogins } from "../accounts/developer-login-store.ts";
import { withFactorAmong } from "../accounts/second-factor/factor-store.ts";
import { type PageRequest, rangeOf } from "./page-request.ts";
import type { Tenant } from "./tenant-store.ts";

/** A developer, as their own row has them. */
type DeveloperRecord = Omit<DirectoryDeveloper, "tenants" | "secondFactor">;

const columns = [
  "developer_id as developerId",
  "phone",
  "channel_id as channelId",
  "name",
  "operator",
  "disabled",
] as const;

type Row = Omit<DeveloperRecord, "operator" | "disabled"> & { operator: number; disabled: number };

function toRecord({ operator, disabled, ...row }: Row): DeveloperRecord {
  return { ...row, operator: operator === 1, disabled: disabled === 1 };
}

/** A page of all developers, by channel and phone number, and the total. */
export async function listDevelopers(
  db: Db,
  dialect: Dialect,
  { keyword, ...page }: PageRequest,
): Promise<{ items: DirectoryDeveloper[]; total: number }> {
  const { where, total } = await select(db, dialect, "developers", { keyword });
  const { limit, offset } = rangeOf(page, total);
  const rows = await db
    .selectFrom("developers")
    .select(columns)
    .where(where)
    .orderBy("channel_id")
    .orderBy("phone")
    .limit(limit)
    .offset(offset)
    .execute();
  const ids = rows.map(({ developerId }) => developerId);
  const [tenants, withFactor] = [await tenantsOf(db, ids), await withFactorAmong(db, ids)];
  const items = rows.map((row) => ({
    ...toRecord(row),
    secondFactor: withFactor.has(row.developerId),
    tenants: tenants.get(row.developerId) ?? [],
  }));
  return { items, total };
}

/** The tenants of each developer, by tenantId. */
async function tenantsOf(db: Db, developerIds: readonly string[]): Promise<Map<string, Tenant[]>> {
  if (developerIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("developer_tenants")
    .innerJoin("tenants", "tenants.tenant_id", "developer_tenants.tenant_id")
    .select(["developer_id as developerId", "tenants.tenant_id as tenantId", "tenants.name"])
    .where("developer_id", "in", developerIds)
    .orderBy("tenants.tenant_id")
    .execute();
  const found = new Map<string, Tenant[]>();
  for (const { developerId, ...tenant } of rows) {
    const tenants = found.get(developerId);
    if (tenants === undefined) found.set(developerId, [tenant]);
    else tenants.push(tenant);
  }
  return found;
}

/** The developer with their tenants; null when there is none. */
export async function findDeveloper(db: Db, developerId: string): Promise<DirectoryDeveloper | null> {
  const row = await db
    .selectFrom("developers")
    .select(columns)
    .where("developer_id", "=", developerId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const [tenants, withFactor] = [await tenantsOf(db, [developerId]), await withFactorAmong(db, [developerId])];
  return {
    ...toRecord(row),
    secondFactor: withFactor.has(developerId),
    tenants: tenants.get(developerId) ?? [],
  };
}

/** The developer with this phone number in the channel, disabled or not; null when there is none. */
export async function findDeveloperByNumber(db: Db, channelId: number, phone: string): Promise<string | null> {
  const row = await db
    .selectFrom("developers")
    .select("developer_id as developerId")
    .where("channel_id", "=", channelId)
    .where("phone", "=", phone)
    .executeTakeFirst();
  return row?.developerId ?? null;
}

/**
 * Locks these developers' rows until the transaction ends; an update locks a row on both engines. The rows are always
 * locked in the same order, so that two transactions cannot deadlock.
 */
export async function lockDevelopers(tx: Db, developerIds: readonly string[]): Promise<void> {
  for (const developerId of [...new Set(developerIds)].sort()) {
    await tx
      .updateTable("developers")
      .set((eb) => ({ name: eb.ref("name") }))
      .where("developer_id", "=", developerId)
      .execute();
  }
}

/** Inserts a developer without tenants; false when the channel already has the phone number. */
export async function insertDeveloper(
  tx: Db,
  { developerId, phone, channelId, name, operator, disabled }: DeveloperRecord,
  passwordHash: string | null,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("developers")
    .values({
      developer_id: developerId,
      phone,
      channel_id: channelId,
      name,
      password_hash: passwordHash,
      operator: operator ? 1 : 0,
      disabled: disabled ? 1 : 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Changes a developer. Whoever becomes an operator loses the logins that are confined to a tenant: what these rest on is not
 * enough for an operator.
 *
 * @param passwordHash absent: the password does not change.
 */
export async function updateDeveloper(
  tx: Db,
  { developerId, name, operator, disabled }: Omit<DeveloperRecord, "phone" | "channelId">,
  passwordHash?: string,
): Promise<void> {
  await tx
    .updateTable("developers")
    .set({
      name,
      operator: operator ? 1 : 0,
      disabled: disabled ? 1 : 0,
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    .where("developer_id", "=", developerId)
    .execute();
  if (operator) await endConfinedLogins(tx, developerId, null);
}

/** Replaces the tenants of a developer. Logins that are confined to a tenant end, unless it is the only one now. */
export async function putTenants(tx: Db, developerId: string, tenantIds: readonly string[]): Promise<void> {
  const [only = null, ...others] = new Set(tenantIds);
  await endConfinedLogins(tx, developerId, others.length === 0 ? only : null);
  await tx.deleteFrom("developer_tenants").where("developer_id", "=", developerId).execute();
  if (tenantIds.length === 0) return;
  const rows = tenantIds.map((tenantId) => ({ developer_id: developerId, tenant_id: tenantId }));
  await tx.insertInto("developer_tenants").values(rows).execute();
}
