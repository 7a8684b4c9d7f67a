import { RaceLost } from "../../../platform/storage/savepoint.ts";
import { insertTenant, lockTenant, renameTenant } from "../../directory/tenant-store.ts";
import { keyOf } from "../entities.ts";
import type { Entry } from "../schema.ts";
import { changesOf } from "./apply-fields.ts";
import type { Run } from "./run.ts";

export async function provisionTenant(run: Run, { id: tenantId, name }: Entry<"tenants">): Promise<void> {
  const applied = run.appliedStateOf(keyOf.tenant(tenantId));
  const given = { id: true, name };
  const fields = name === undefined ? 1 : 2;
  if (!applied.hasChanges(given)) {
    run.report.unchanged += fields;
    return;
  }
  applied.note("id", true);
  const tenant = await lockTenant(run.tx, tenantId);
  const change = { target: applied.entity, tenantId };
  if (tenant === null) {
    applied.beginAnew();
    applied.noteAll(given);
    const made = { tenantId, name: name ?? tenantId };
    if (!(await insertTenant(run.tx, made))) throw new RaceLost(`tenant ${tenantId} was made by somebody else`);
    run.created(applied.entity, fields);
    await run.audit({ ...change, action: "tenant.create", before: null, after: made });
    return;
  }
  run.report.unchanged++;
  const changes = changesOf(run, applied, { name: tenant.name }, { name });
  if (changes === null) return;
  await renameTenant(run.tx, { ...tenant, ...changes.after });
  await run.audit({ ...change, action: "tenant.update", ...changes });
}
