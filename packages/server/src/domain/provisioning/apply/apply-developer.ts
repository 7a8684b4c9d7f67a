import { newId } from "../../../platform/crypto/new-id.ts";
import { RaceLost } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { DEVELOPER_LOGINS } from "../../accounts/developer-login-store.ts";
import { putOperatorUntil } from "../../accounts/oidc/operator-lapse.ts";
import { endPendingOfDeveloper } from "../../accounts/pending-sign-ins.ts";
import { insertDeveloper, putTenants, updateDeveloper } from "../../directory/developer-store.ts";
import type { AppliedState, Given } from "../applied-state.ts";
import { DEFAULT_CHANNEL, keyOf } from "../entities.ts";
import type { Entry } from "../schema.ts";
import { changesOf, countOf } from "./apply-fields.ts";
import { hasListChanged, listChangesOf } from "./lists.ts";
import type { Run } from "./run.ts";

/** A developer's fields, without the password. */
interface DeveloperFields {
  name: string;
  operator: boolean;
}

/** An existing developer. */
interface HeldDeveloper extends DeveloperFields {
  developerId: string;
  disabled: boolean;
  passwordHash: string | null;
}

export async function provisionDeveloper(run: Run, developer: Entry<"developers">, path: string): Promise<void> {
  const applied = run.appliedStateOf(keyOf.developer(developer));
  const tenants: string[] = [];
  for (const [index, tenant] of (developer.tenants ?? []).entries()) {
    tenants.push(await run.tenantOf(tenant, `${path}.tenants[${index}]`));
  }
  const known = await provisionFields(run, applied, developer);
  if (developer.tenants === undefined) return;
  if (!hasListChanged(applied, "tenants", tenants)) {
    run.report.unchanged += new Set(tenants).size;
    return;
  }
  const developerId = known ?? (await lockDeveloper(run.tx, developer))?.developerId;
  if (developerId !== undefined) await provisionTenants(run, applied, developerId, tenants);
}

/** @returns the developerId, if it was looked up. */
async function provisionFields(
  run: Run,
  applied: AppliedState,
  developer: Entry<"developers">,
): Promise<string | undefined> {
  const { phone, channelId = DEFAULT_CHANNEL, name, operator } = developer;
  const given = { name, operator };
  const password = developer.password || undefined;
  const items = countOf({ id: true, ...given, password });
  if (!applied.hasChanges({ id: true, ...given, password })) {
    run.report.unchanged += items;
    return undefined;
  }
  applied.note("id", true);
  const current = await lockDeveloper(run.tx, developer);
  if (current === null) {
    applied.beginAnew();
    applied.noteAll(given);
    const passwordHash = run.firstPassword(applied, password);
    const identity = { developerId: newId("dev"), phone, channelId };
    const made = { ...identity, name: name ?? phone, operator: operator ?? false, disabled: false };
    if (!(await insertDeveloper(run.tx, made, passwordHash))) {
      throw new RaceLost(`developer ${phone} was made by somebody else`);
    }
    run.created(applied.entity, items);
    await run.audit({
      action: "developer.create",
      target: `developer:${made.developerId}`,
      before: null,
      after: { ...made, password: passwordHash === null ? "none" : "set" },
    });
    return made.developerId;
  }
  run.report.unchanged++;
  await changeDeveloper(run, applied, current, { given, password });
  return current.developerId;
}

async function changeDeveloper(
  run: Run,
  applied: AppliedState,
  { developerId, passwordHash: currentHash, ...current }: HeldDeveloper,
  { given, password }: { given: Given<DeveloperFields>; password: string | undefined },
): Promise<void> {
  const changes = changesOf<DeveloperFields>(run, applied, current, given);
  const passwordHash = run.changedPassword(applied, password, currentHash);
  if (changes === null && passwordHash === undefined) return;
  await updateDeveloper(run.tx, { developerId, ...current, ...changes?.after }, passwordHash);
  if (changes?.after.operator !== undefined) await putOperatorUntil(run.tx, developerId, null);
  if (passwordHash !== undefined) {
    await endPendingOfDeveloper(run.tx, developerId);
    await DEVELOPER_LOGINS.endAll(run.tx, developerId);
  }
  await run.audit({
    action: "developer.update",
    target: `developer:${developerId}`,
    before: { ...changes?.before },
    after: { ...changes?.after, ...(passwordHash !== undefined && { password: "changed" }) },
  });
}

async function provisionTenants(
  run: Run,
  applied: AppliedState,
  developerId: string,
  given: readonly string[],
): Promise<void> {
  let before: string[] = [];
  const { added, removed } = await listChangesOf(run, applied, {
    name: "tenants",
    given,
    entityOf: keyOf.tenant,
    present: async () => {
      before = await listTenantsOf(run.tx, developerId);
      return before;
    },
  });
  if (added.length === 0 && removed.length === 0) return;
  const after = [...before.filter((tenantId) => !removed.includes(tenantId)), ...added].sort();
  await putTenants(run.tx, developerId, after);
  await run.audit({
    action: "developer.update",
    target: `developer:${developerId}`,
    before: { tenants: before },
    after: { tenants: after },
  });
}

/** The developer, its row locked until the transaction ends; null when there is none. */
async function lockDeveloper(
  tx: Db,
  { phone, channelId = DEFAULT_CHANNEL }: Pick<Entry<"developers">, "phone" | "channelId">,
): Promise<HeldDeveloper | null> {
  const row = await tx
    .updateTable("developers")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("channel_id", "=", channelId)
    .where("phone", "=", phone)
    .returning(["developer_id as developerId", "name", "operator", "disabled", "password_hash as passwordHash"])
    .executeTakeFirst();
  return row === undefined ? null : { ...row, operator: row.operator === 1, disabled: row.disabled === 1 };
}

async function listTenantsOf(db: Db, developerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("developer_tenants")
    .select("tenant_id as tenantId")
    .where("developer_id", "=", developerId)
    .orderBy("tenant_id")
    .execute();
  return rows.map(({ tenantId }) => tenantId);
}
