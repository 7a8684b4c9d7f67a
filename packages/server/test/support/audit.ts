import type { World } from "./world.ts";

/** People's changes of an application according to the audit log, oldest first. */
export async function auditOf(world: World, appId: string) {
  return (await auditRowsOf(world, appId)).map((row) => ({
    at: row.at,
    actor: `${row.actor_type} ${row.actor_id}`,
    action: row.action,
    target: row.target,
    tenantId: row.tenant_id,
    before: row.before,
    after: row.after,
    address: row.address,
  }));
}

/** The same with all columns. */
export async function auditRowsOf(world: World, appId: string) {
  const rows = await world.portico.ctx.storage.db
    .selectFrom("audit_entries")
    .selectAll()
    .where("app_id", "=", appId)
    .where("actor_type", "!=", "SYSTEM")
    .orderBy("audit_id")
    .execute();
  return rows.map(({ before, after, ...row }) => ({
    ...row,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }));
}
