import { forgetRevoked, isRevoked, rememberRevoked, shownId } from "../../applications/credential-store.ts";
import { ByDefault, memberItem } from "../applied-state.ts";
import { checkOnce } from "../entities.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppliedChange } from "../report.ts";
import type { AppEntry } from "../schema.ts";
import type { AppPlace } from "./app-place.ts";

type CredentialEntry = NonNullable<AppEntry["credentials"]>[number];

/** A stored credential. */
interface KeptCredential {
  appId: string;
  secretBox: string;
  rotatedAt: number | null;
}

/** A credential's secret and rotation are separate items. A revoked credential stays revoked, unless forced. */
export async function provisionCredentials(place: AppPlace): Promise<void> {
  const credentials = place.app.credentials ?? [];
  const pathOf = (index: number) => `${place.path}.credentials[${index}]`;
  checkOnce(credentials.map(({ credentialId }, index) => [`${pathOf(index)}.credentialId`, credentialId]));
  for (const [index, credential] of credentials.entries()) await provisionCredential(place, credential, pathOf(index));
}

async function provisionCredential(place: AppPlace, entry: CredentialEntry, path: string): Promise<void> {
  const { run, applied } = place;
  const { credentialId } = entry;
  const item = memberItem("credentials", credentialId);
  const given = { [`${item}.secret`]: entry.appSecret, [`${item}.rotatedAt`]: rotationOf(entry, path) };
  if (!applied.hasChanges(given)) {
    run.report.unchanged++;
    return;
  }
  await place.lock();
  const kept = await findKept(place, credentialId);
  if (kept !== null && kept.appId !== place.appId) {
    throw new ProvisioningError(`${path}.credentialId`, `belongs to another app, ${kept.appId}`);
  }
  if (applied.isInherited) return await inherit(place, entry, { item, given, kept });
  const wasRevoked = await isRevoked(run.tx, credentialId);
  if (!run.isForced && (wasRevoked || hasEnded(place, kept, `${item}.rotatedAt`))) {
    run.report.skipRevoked(applied.entity, item);
    return;
  }
  if (kept === null) await insert(place, entry, { item, path, wasRevoked });
  else await update(place, entry, { item, given, kept });
  applied.noteAll(given);
}

/**
 * Epoch milliseconds, or null.
 *
 * @throws ProvisioningError when the time is invalid.
 */
function rotationOf({ rotatedAt }: CredentialEntry, path: string): number | ByDefault<null> {
  if (rotatedAt === undefined) return new ByDefault(null);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(rotatedAt);
  const time = isTime ? Date.parse(rotatedAt) : Number.NaN;
  if (Number.isNaN(time)) throw new ProvisioningError(`${path}.rotatedAt`, "must be an ISO 8601 time");
  return time;
}

/**
 * Whether people rotated it and its grace period is over, which counts as revoked. A rotation that came from the file
 * can be undone by the file.
 */
function hasEnded({ run, applied }: AppPlace, kept: KeptCredential | null, rotationItem: string): boolean {
  if (kept === null || kept.rotatedAt === null) return false;
  if (run.now < kept.rotatedAt + run.ctx.config.limits.credentialGraceMs) return false;
  return !applied.wasApplied(rotationItem, kept.rotatedAt);
}

/** For an upgraded store: existing credentials count as applied, and missing ones may have been revoked. */
async function inherit(
  { run, applied, appId }: AppPlace,
  { credentialId, appSecret }: CredentialEntry,
  { item, given, kept }: { item: string; given: object; kept: KeptCredential | null },
): Promise<void> {
  applied.noteAll(given);
  if (kept === null) await rememberRevoked(run.tx, appId, [credentialId], run.now);
  if (kept === null || run.ctx.secretBox.open(kept.secretBox, credentialId) !== appSecret) {
    run.report.skipInherited(applied.entity, item);
  } else {
    run.report.unchanged++;
  }
}

async function insert(
  place: AppPlace,
  { credentialId, appSecret, ...entry }: CredentialEntry,
  { item, path, wasRevoked }: { item: string; path: string; wasRevoked: boolean },
): Promise<void> {
  const { run, applied, appId } = place;
  const rotation = rotationOf({ credentialId, appSecret, ...entry }, path);
  const rotatedAt = rotation instanceof ByDefault ? null : rotation;
  if (wasRevoked) await forgetRevoked(run.tx, credentialId);
  await run.tx
    .insertInto("credentials")
    .values({
      credential_id: credentialId,
      app_id: appId,
      secret_box: run.ctx.secretBox.seal(appSecret, credentialId),
      created_at: run.now,
      rotated_at: rotatedAt,
    })
    .execute();
  run.report.change({
    entity: applied.entity,
    item,
    ...(wasRevoked && { before: "revoked" }),
    after: stateOf(rotatedAt),
  });
  const credential = shownId(credentialId);
  await place.audit({
    action: wasRevoked ? "credential.restore" : "credential.create",
    target: `credential:${credential}`,
    before: wasRevoked ? { status: "revoked" } : null,
    after: { credential, rotatedAt },
  });
}

async function update(
  place: AppPlace,
  { credentialId, appSecret }: CredentialEntry,
  { item, given, kept }: { item: string; given: Record<string, unknown>; kept: KeptCredential },
): Promise<void> {
  const { run, applied } = place;
  const { secretBox } = run.ctx;
  const hasChanged = (part: "secret" | "rotatedAt") => applied.hasChanged(`${item}.${part}`, given[`${item}.${part}`]);
  const rotation = given[`${item}.rotatedAt`];
  const rotatedAt = !hasChanged("rotatedAt") ? kept.rotatedAt : typeof rotation === "number" ? rotation : null;
  const hasNewSecret = hasChanged("secret") && secretBox.open(kept.secretBox, credentialId) !== appSecret;
  if (!hasNewSecret && rotatedAt === kept.rotatedAt) {
    run.report.unchanged++;
    return;
  }
  await run.tx
    .updateTable("credentials")
    .set({
      rotated_at: rotatedAt,
      ...(hasNewSecret && { secret_box: secretBox.seal(appSecret, credentialId) }),
    })
    .where("credential_id", "=", credentialId)
    .execute();
  const secret = hasNewSecret && { secret: "changed" };
  run.report.change({ entity: applied.entity, item, ...changeOf(kept.rotatedAt, rotatedAt, hasNewSecret) });
  await place.audit({
    action: "credential.update",
    target: `credential:${shownId(credentialId)}`,
    before: { rotatedAt: kept.rotatedAt },
    after: { rotatedAt, ...secret },
  });
}

function changeOf(
  was: number | null,
  is: number | null,
  hasNewSecret: boolean,
): Pick<AppliedChange, "before" | "after"> {
  const after = stateOf(is);
  return { before: stateOf(was), after: hasNewSecret ? `${after}, with another secret` : after };
}

function stateOf(rotatedAt: number | null): string {
  return rotatedAt === null ? "current" : `rotated ${new Date(rotatedAt).toISOString()}`;
}

async function findKept({ run }: AppPlace, credentialId: string): Promise<KeptCredential | null> {
  const row = await run.tx
    .selectFrom("credentials")
    .select(["app_id as appId", "secret_box as secretBox", "rotated_at as rotatedAt"])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return row ?? null;
}
