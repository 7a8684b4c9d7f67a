import type { TargetType } from "@portico/protocol";
import type { Db } from "../../../platform/storage/schema.ts";
import { makeInstallation } from "../../applications/installations/change-installation.ts";
import { installationStatus } from "../../applications/installations/installation-store.ts";
import { memberItem } from "../applied-state.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppPlace } from "./app-place.ts";
import { membersOf } from "./named.ts";

/** A target where a file installs an application. */
interface Target {
  targetType: TargetType;
  targetId: string;
}

export async function provisionInstallations(place: AppPlace): Promise<void> {
  const { run, applied } = place;
  for (const [index, target] of (await targetsOf(place)).entries()) {
    const item = memberItem("installations", `${target.targetType}/${target.targetId}`);
    if (!applied.hasChanges({ [item]: true })) run.report.unchanged++;
    else await provisionInstallation(place, { item, index, target });
  }
}

/**
 * The targets without duplicates, members by their userIds.
 *
 * @throws ProvisioningError for a target that does not exist.
 */
async function targetsOf({ run, applied, app, tenantId, path }: AppPlace): Promise<Target[]> {
  const named = (app.installations ?? []).map((target, index) => ({
    ...target,
    path: `${path}.installations[${index}].targetId`,
  }));
  const [users, groups] = [named.filter(isUser), named.filter((target) => !isUser(target))];
  const accounts = users.map(({ targetId }) => targetId);
  const userIds = await membersOf(run, applied, {
    name: "installations",
    tenantId,
    accounts,
    pathOf: (index) => users[index]?.path ?? path,
  });
  const userIdOf = new Map(users.map((target, index) => [target, userIds[index]]));
  await checkGroups(run.tx, tenantId, groups);
  const targets = new Map<string, Target>();
  for (const target of named) {
    const { targetType } = target;
    const targetId = isUser(target) ? userIdOf.get(target) : target.targetId;
    if (targetId === undefined || targetId === null) continue;
    targets.set(`${targetType}/${targetId}`, { targetType, targetId });
  }
  return [...targets.values()];
}

function isUser({ targetType }: Target): boolean {
  return targetType === "USER";
}

async function provisionInstallation(
  place: AppPlace,
  { item, index, target }: { item: string; index: number; target: Target },
): Promise<void> {
  const { run, applied, appId, tenantId } = place;
  await place.lock();
  const before = await installationStatus(run.tx, appId, target.targetType, target.targetId);
  applied.note(item, true);
  if (before === "ACTIVE") {
    run.report.unchanged++;
    return;
  }
  // Rows of installations are never deleted, so one without a row is new in an upgraded store, too.
  if (applied.isInherited && before !== null) {
    run.report.skipInherited(applied.entity, item);
    return;
  }
  // Each gets its own millisecond, so that installations keep the order of the file.
  const audit = async (_: unknown, change: Parameters<typeof place.audit>[0]) => place.audit(change);
  await makeInstallation(run.tx, { appId, ...target }, { tenantId, audit }, run.now + index);
  run.report.change({ entity: applied.entity, item, ...(before !== null && { before }), after: "ACTIVE" });
  if (target.targetType === "USER") run.afterCommit(() => run.ctx.live.conversationsChanged(target.targetId));
}

const AT_ONCE = 1_000;

/** @throws ProvisioningError for a group that is not in the tenant. */
async function checkGroups(tx: Db, tenantId: string, groups: readonly (Target & { path: string })[]): Promise<void> {
  for (let from = 0; from < groups.length; from += AT_ONCE) {
    const some = groups.slice(from, from + AT_ONCE);
    const ids = some.map(({ targetId }) => targetId);
    const rows = await tx
      .selectFrom("groups")
      .select("group_id")
      .where("group_id", "in", ids)
      .where("tenant_id", "=", tenantId)
      .execute();
    const known = new Set(rows.map(({ group_id }) => group_id));
    const unknown = some.find(({ targetId }) => !known.has(targetId));
    if (unknown === undefined) continue;
    throw new ProvisioningError(unknown.path, `names an unknown group ${unknown.targetId} of ${tenantId}`);
  }
}
