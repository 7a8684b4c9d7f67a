import type { World } from "./world.ts";

/** People's changes of an application according to the audit log, oldest first. */
export async function auditOf(world: World, appId: string) {
  const { db } = world.portico.ctx.storage;
  const rows = await db
    .selectFrom("audit_entries")
    .selectAll()
    .where("app_id", "=", appId)
    .where("actor_type", "!=", "SYSTEM")
    .orderBy("audit_id")
    .execute();
  return rows.map((row) => ({
    at: row.at,
    actor: `${row.actor_type} ${row.actor_id}`,
    action: row.action,
    target: row.target,
    tenantId: row.tenant_id,
    before: parse(row.before),
    after: parse(row.after),
    address: row.address,
  }));
}

function parse(side: string | null): unknown {
  return side === null ? null : JSON.parse(side);
}
