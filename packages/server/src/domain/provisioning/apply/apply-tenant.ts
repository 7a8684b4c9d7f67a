import { RaceLost } from "../../../platform/storage/savepoint.ts";
import { insertTenant, lockTenant, renameTenant } from "../../directory/tenant-store.ts";
import { keyOf } from "../entities.ts";
import type { Entry } from "../schema.ts";
import { changesOf } from "./apply-fields.ts";
import type { Run } from "./run.ts";

export async function provisionTenant(run: Run, { id: tenantId, name }: Entry<"tenants">): Promise<void> {
  const said = run.said(keyOf.tenant(tenantId));
  const given = { id: true, name };
  const fields = name === undefined ? 1 : 2;
  if (!said.hasNews(given)) {
    run.report.unchanged += fields;
    return;
  }
  said.note("id", true);
  const tenant = await lockTenant(run.tx, tenantId);
  const change = { target: said.entity, tenantId };
  if (tenant === null) {
    said.beginAnew();
    said.noteAll(given);
    const made = { tenantId, name: name ?? tenantId };
    if (!(await insertTenant(run.tx, made))) throw new RaceLost(`tenant ${tenantId} was made by somebody else`);
    run.created(said.entity, fields);
    await run.audit({ ...change, action: "tenant.create", before: null, after: made });
    return;
  }
  run.report.unchanged++;
  const changes = changesOf(run, said, { name: tenant.name }, { name });
  if (changes === null) return;
  await renameTenant(run.tx, { ...tenant, ...changes.after });
  await run.audit({ ...change, action: "tenant.update", ...changes });
}
