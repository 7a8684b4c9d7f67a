import { endVisitorAccess } from "../../customer-service/visitor-access.ts";
import { memberItem } from "../applied-state.ts";
import { checkOnce } from "../entities.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppEntry } from "../schema.ts";
import type { AppPlace } from "./app-place.ts";

type VisitorEntry = NonNullable<AppEntry["visitors"]>[number];

/** A visitor's fields in a file. */
interface VisitorFields {
  thirdUserId: string;
  nickname: string;
  status: number;
}

/** Each field of a visitor is a separate item. */
export async function provisionVisitors(place: AppPlace): Promise<void> {
  const visitors = place.app.visitors ?? [];
  const pathOf = (index: number) => `${place.path}.visitors[${index}]`;
  checkOnce(visitors.map(({ visitorId }, index) => [`${pathOf(index)}.visitorId`, visitorId]));
  for (const [index, visitor] of visitors.entries()) await provisionVisitor(place, visitor, pathOf(index));
}

async function provisionVisitor(place: AppPlace, entry: VisitorEntry, path: string): Promise<void> {
  const { run, applied } = place;
  const { visitorId, ...given } = entry;
  const item = memberItem("visitors", visitorId);
  const fields = Object.entries(given) as [keyof VisitorFields, string | number][];
  const items = { [item]: true, ...Object.fromEntries(fields.map(([name, value]) => [`${item}.${name}`, value])) };
  if (!applied.hasChanges(items)) {
    run.report.unchanged++;
    return;
  }
  await place.lock();
  const current = await lockVisitor(place, visitorId, path);
  await checkThirdUserId(place, entry, `${path}.thirdUserId`);
  if (current === null) {
    applied.noteAll(items);
    return await insert(place, item, entry);
  }
  const differing = fields.filter(([name, value]) => current[name] !== value);
  const changed = differing.filter(([name, value]) => applied.hasChanged(`${item}.${name}`, value));
  applied.noteAll(items);
  if (changed.length > 0) {
    const after: Partial<VisitorFields> = Object.fromEntries(changed);
    await update(place, { visitorId, item }, { before: current, after });
  } else if (applied.isInherited && differing.length > 0) {
    run.report.skipInherited(applied.entity, item);
  } else {
    run.report.unchanged++;
  }
}

/**
 * The visitor, its row locked until the transaction ends.
 *
 * @throws ProvisioningError if it belongs to another application.
 */
async function lockVisitor(
  { run: { tx }, appId }: AppPlace,
  visitorId: string,
  path: string,
): Promise<VisitorFields | null> {
  const row = await tx
    .updateTable("visitors")
    .set((eb) => ({ status: eb.ref("status") }))
    .where("visitor_id", "=", visitorId)
    .returning(["app_id", "third_user_id as thirdUserId", "nickname", "status"])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { app_id, ...fields } = row;
  if (app_id !== appId) throw new ProvisioningError(`${path}.visitorId`, `belongs to another app, ${app_id}`);
  return fields;
}

/** @throws ProvisioningError when another visitor has it. */
async function checkThirdUserId(
  { run: { tx }, appId }: AppPlace,
  { visitorId, thirdUserId = visitorId }: VisitorEntry,
  path: string,
): Promise<void> {
  const namesake = await tx
    .selectFrom("visitors")
    .select("visitor_id")
    .where("app_id", "=", appId)
    .where("third_user_id", "=", thirdUserId)
    .executeTakeFirst();
  if (namesake && namesake.visitor_id !== visitorId) {
    throw new ProvisioningError(path, `is taken by ${namesake.visitor_id}`);
  }
}

async function insert(place: AppPlace, item: string, { visitorId, ...given }: VisitorEntry): Promise<void> {
  const { run, applied, appId } = place;
  const { thirdUserId, nickname, status }: VisitorFields = {
    thirdUserId: visitorId,
    nickname: "",
    status: 1,
    ...given,
  };
  const row = { visitor_id: visitorId, app_id: appId, third_user_id: thirdUserId, nickname, status };
  await run.tx
    .insertInto("visitors")
    .values({ ...row, created_at: run.now })
    .execute();
  run.report.change({ entity: applied.entity, item, after: true });
  const after = { thirdUserId, nickname, status };
  await place.audit({ action: "visitor.create", target: `visitor:${visitorId}`, before: null, after });
}

async function update(
  place: AppPlace,
  { visitorId, item }: { visitorId: string; item: string },
  { before, after }: { before: VisitorFields; after: Partial<VisitorFields> },
): Promise<void> {
  const { run, applied, appId } = place;
  const { thirdUserId: third_user_id, nickname, status } = { ...before, ...after };
  await run.tx
    .updateTable("visitors")
    .set({ third_user_id, nickname, status })
    .where("visitor_id", "=", visitorId)
    .execute();
  if (after.status !== undefined) await endVisitorAccess(run.tx, visitorId, after.status === 0 ? 0 : 1);
  if (after.status === 0) {
    run.afterCommit(() => run.ctx.deskLive.visitorSignedOut(appId, visitorId));
  }
  const names = Object.keys(after) as (keyof VisitorFields)[];
  const changed = Object.fromEntries(names.map((name) => [name, before[name]]));
  run.report.change({ entity: applied.entity, item, before: changed, after });
  await place.audit({ action: actionOf(after), target: `visitor:${visitorId}`, before: changed, after });
}

function actionOf({ status }: Partial<VisitorFields>): string {
  if (status === undefined) return "visitor.update";
  return status === 0 ? "visitor.disable" : "visitor.enable";
}
