import { RaceLost } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { addGroupMembers, insertGroup, listUserIdsOf, removeGroupMembers } from "../../directory/group-store.ts";
import { type AppliedState, ByDefault } from "../applied-state.ts";
import { keyOf } from "../entities.ts";
import type { Entry } from "../schema.ts";
import { changesOf, countOf } from "./apply-fields.ts";
import { listChangesOf } from "./lists.ts";
import { membersOf, pathOfTenant } from "./named.ts";
import type { Run } from "./run.ts";

/** A group's fields. */
interface GroupFields {
  tenant: string;
  name: string;
}

const AT_ONCE = 1_000;

export async function provisionGroup(run: Run, group: Entry<"groups">, path: string): Promise<void> {
  const tenantId = await run.tenantOf(group.tenant, pathOfTenant(path, group));
  const applied = run.appliedStateOf(keyOf.group(group.id));
  await provisionFields(run, applied, group, tenantId);
  if (group.members === undefined) return;
  const members = await membersOf(run, applied, {
    name: "members",
    tenantId,
    accounts: group.members,
    pathOf: (index) => `${path}.members[${index}]`,
  });
  const given = members.filter((userId) => userId !== null);
  await provisionMembers(run, applied, { groupId: group.id, tenantId, given });
}

async function provisionFields(
  run: Run,
  applied: AppliedState,
  { id, tenant, name }: Entry<"groups">,
  tenantId: string,
) {
  const given = { tenant: tenant === undefined ? new ByDefault(tenantId) : tenantId, name };
  if (!applied.hasChanges({ id: true, ...given })) {
    run.report.unchanged += countOf({ id: true, ...given });
    return;
  }
  applied.note("id", true);
  const current = await lockGroup(run.tx, id);
  const change = { target: applied.entity, tenantId };
  if (current === null) {
    applied.beginAnew();
    applied.noteAll(given);
    const made = { groupId: id, name: name ?? id };
    if (!(await insertGroup(run.tx, tenantId, made))) throw new RaceLost(`group ${id} was made by somebody else`);
    run.created(applied.entity, countOf({ id: true, ...given }));
    await run.audit({ ...change, action: "group.create", before: null, after: made });
    return;
  }
  run.report.unchanged++;
  const changes = changesOf<GroupFields>(run, applied, current, given);
  if (changes === null) return;
  const { tenant: tenant_id, ...named } = { ...current, ...changes.after };
  await run.tx
    .updateTable("groups")
    .set({ tenant_id, ...named })
    .where("group_id", "=", id)
    .execute();
  await run.audit({ ...change, action: "group.update", ...changes });
}

async function provisionMembers(
  run: Run,
  applied: AppliedState,
  { groupId, tenantId, given }: { groupId: string; tenantId: string; given: readonly string[] },
): Promise<void> {
  let memberCount = 0;
  const { added, removed } = await listChangesOf(run, applied, {
    name: "members",
    given,
    entityOf: keyOf.member,
    present: async () => {
      await lockGroup(run.tx, groupId);
      const present = await listUserIdsOf(run.tx, groupId);
      memberCount = present.length;
      return present;
    },
  });
  if (added.length === 0 && removed.length === 0) return;
  for (let from = 0; from < removed.length; from += AT_ONCE) {
    await removeGroupMembers(run.tx, groupId, removed.slice(from, from + AT_ONCE));
  }
  for (let from = 0; from < added.length; from += AT_ONCE) {
    await addGroupMembers(run.tx, groupId, added.slice(from, from + AT_ONCE));
  }
  await run.audit({
    action: "group.members",
    target: applied.entity,
    tenantId,
    before: { memberCount, removed },
    after: { memberCount: memberCount + added.length - removed.length, added },
  });
  run.afterCommit(() => {
    for (const userId of [...added, ...removed]) run.ctx.live.conversationsChanged(userId);
  });
}

/** The group, its row locked until the transaction ends; null when there is none. */
async function lockGroup(tx: Db, groupId: string): Promise<GroupFields | null> {
  const row = await tx
    .updateTable("groups")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("group_id", "=", groupId)
    .returning(["tenant_id as tenant", "name"])
    .executeTakeFirst();
  return row ?? null;
}
