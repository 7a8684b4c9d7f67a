import type { Template, TemplateVersion } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** The most versions kept per template; the oldest are deleted. */
const MAX_VERSIONS = 100;
/** The maximum of an integer column. */
const MAX_VERSION = 2 ** 31 - 1;

const select = prepared<{ appId: string; cardId: string }>()((db, param) =>
  db
    .selectFrom("card_templates")
    .select(["card", "version"])
    .where("card_id", "=", param("cardId"))
    .where("app_id", "=", param("appId")),
);

/** The current version of an application's template, its card as JSON text; null when there is no such template. */
export async function findTemplate(
  db: Db,
  appId: string,
  cardId: string,
): Promise<{ card: string; version: number } | null> {
  // PostgreSQL texts cannot contain NUL, and neither does any id.
  if (cardId.includes("\0")) return null;
  return (await select.first(db, { appId, cardId })) ?? null;
}

/** The content of a template version. */
export interface TemplateContent {
  name: string;
  /** JSON text. */
  card: string;
}

/** Who saves a version, and when (epoch milliseconds). */
export interface Saving {
  developerId: string;
  now: number;
}

/** A page of the application's templates, most recently saved first. */
export async function listTemplates(
  db: Db,
  appId: string,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<Template[]> {
  const rows = await selectTemplates(db, appId)
    .orderBy((eb) => eb.fn.coalesce("saves.saved_at", eb.val(0)), "desc")
    .orderBy("templates.card_id")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return rows.map(toTemplate);
}

/** How many templates the application has. */
export async function countTemplates(db: Db, appId: string): Promise<number> {
  const { total } = await db
    .selectFrom("card_templates")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("app_id", "=", appId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** A template with its card as JSON text; null when the application has no such template. */
export async function findTemplateDetail(
  db: Db,
  appId: string,
  cardId: string,
): Promise<(Template & { card: string }) | null> {
  const row = await selectTemplates(db, appId)
    .select("templates.card")
    .where("templates.card_id", "=", cardId)
    .executeTakeFirst();
  return row === undefined ? null : { ...toTemplate(row), card: row.card };
}

/** A template whose row is locked until the transaction ends. */
export interface LockedTemplate extends TemplateContent {
  cardId: string;
  version: number;
}

/**
 * Locks the row of a template; an update locks it on both engines.
 *
 * @returns null when the application has no such template.
 */
export async function lockTemplate(tx: Db, appId: string, cardId: string): Promise<LockedTemplate | null> {
  const row = await tx
    .updateTable("card_templates")
    .set((eb) => ({ version: eb.ref("version") }))
    .where("card_id", "=", cardId)
    .where("app_id", "=", appId)
    .returning(["card_id as cardId", "name", "version", "card"])
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts a template with version 1. */
export async function insertTemplate(
  tx: Db,
  { appId, cardId }: { appId: string; cardId: string },
  { name, card }: TemplateContent,
  saving: Saving,
): Promise<void> {
  await tx.insertInto("card_templates").values({ card_id: cardId, app_id: appId, name, version: 1, card }).execute();
  await insertVersion(tx, { cardId, version: 1, name, card }, saving);
}

/**
 * Saves a locked template under a new version: one more than there has ever been, even if a provisioning file has
 * restored an older one.
 *
 * @returns the version; null when there are no numbers left, and then the caller must roll back.
 */
export async function saveTemplate(
  tx: Db,
  locked: LockedTemplate,
  { name, card }: TemplateContent,
  saving: Saving,
): Promise<number | null> {
  const { cardId } = locked;
  await keepProvisioned(tx, locked);
  const { latest } = await tx
    .selectFrom("card_template_versions")
    .select((eb) => eb.fn.max("version").as("latest"))
    .where("card_id", "=", cardId)
    .executeTakeFirstOrThrow();
  if (latest >= MAX_VERSION) return null;
  const version = latest + 1;
  await tx.updateTable("card_templates").set({ name, card, version }).where("card_id", "=", cardId).execute();
  await insertVersion(tx, { cardId, version, name, card }, saving);
  await removeOldest(tx, cardId);
  return version;
}

/** Deletes a template with all its versions; null when the application has no such template. */
export async function deleteTemplate(
  tx: Db,
  appId: string,
  cardId: string,
): Promise<{ name: string; version: number } | null> {
  const row = await tx
    .deleteFrom("card_templates")
    .where("card_id", "=", cardId)
    .where("app_id", "=", appId)
    .returning(["name", "version"])
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The stored versions of a template, newest first. The current one is missing when it came from a provisioning file.
 */
export async function listVersions(db: Db, cardId: string): Promise<TemplateVersion[]> {
  return (await selectVersions(db, cardId).orderBy("saves.version", "desc").execute()).map(toVersion);
}

/** A stored version of a template, its card as JSON text; null when it is not stored. */
export async function findVersion(
  db: Db,
  cardId: string,
  version: number,
): Promise<(TemplateVersion & { card: string }) | null> {
  if (version > MAX_VERSION) return null;
  const row = await selectVersions(db, cardId)
    .select("saves.card")
    .where("saves.version", "=", version)
    .executeTakeFirst();
  return row === undefined ? null : { ...toVersion(row), card: row.card };
}

/**
 * Called after a provisioning file has set the current version: deletes a stored version with the same number but other
 * content.
 */
export async function forgetOtherVersion(
  tx: Db,
  cardId: string,
  { version, name, card }: TemplateContent & { version: number },
): Promise<void> {
  await tx
    .deleteFrom("card_template_versions")
    .where("card_id", "=", cardId)
    .where("version", "=", version)
    .where((eb) => eb.or([eb("name", "!=", name), eb("card", "!=", card)]))
    .execute();
}

async function insertVersion(
  tx: Db,
  { cardId, version, name, card }: LockedTemplate,
  { developerId, now }: Saving,
): Promise<void> {
  await tx
    .insertInto("card_template_versions")
    .values({ card_id: cardId, version, name, card, saved_by: developerId, saved_at: now })
    .execute();
}

/** The version from a provisioning file is stored only now, when another one replaces it. */
async function keepProvisioned(tx: Db, { cardId, version, name, card }: LockedTemplate): Promise<void> {
  await tx
    .insertInto("card_template_versions")
    .values({ card_id: cardId, version, name, card, saved_by: null, saved_at: null })
    .onConflict((conflict) => conflict.columns(["card_id", "version"]).doNothing())
    .execute();
}

async function removeOldest(tx: Db, cardId: string): Promise<void> {
  const tooOld = await tx
    .selectFrom("card_template_versions")
    .select("version")
    .where("card_id", "=", cardId)
    .orderBy("version", "desc")
    .limit(1)
    .offset(MAX_VERSIONS)
    .executeTakeFirst();
  if (tooOld === undefined) return;
  await tx
    .deleteFrom("card_template_versions")
    .where("card_id", "=", cardId)
    .where("version", "<=", tooOld.version)
    .execute();
}

function selectTemplates(db: Db, appId: string) {
  return db
    .selectFrom("card_templates as templates")
    .leftJoin("card_template_versions as saves", (join) =>
      join.onRef("saves.card_id", "=", "templates.card_id").onRef("saves.version", "=", "templates.version"),
    )
    .leftJoin("developers", "developer_id", "saves.saved_by")
    .select([
      "templates.card_id as cardId",
      "templates.name",
      "templates.version",
      "saves.saved_at as savedAt",
      "saves.saved_by as savedBy",
      "developers.name as savedByName",
    ])
    .where("templates.app_id", "=", appId);
}

function selectVersions(db: Db, cardId: string) {
  return db
    .selectFrom("card_template_versions as saves")
    .leftJoin("developers", "developer_id", "saves.saved_by")
    .select([
      "saves.version",
      "saves.name",
      "saves.saved_at as savedAt",
      "saves.saved_by as savedBy",
      "developers.name as savedByName",
    ])
    .where("saves.card_id", "=", cardId);
}

interface SavedRow {
  name: string;
  version: number;
  savedAt: number | null;
  savedBy: string | null;
  savedByName: string | null;
}

function toTemplate({ cardId, ...row }: SavedRow & { cardId: string }): Template {
  const { version, name, savedAt: updatedAt, savedBy: updatedBy } = toVersion(row);
  return { cardId, name, version, updatedAt, updatedBy };
}

function toVersion({ version, name, savedAt, savedBy, savedByName }: SavedRow): TemplateVersion {
  return {
    version,
    name,
    savedAt,
    savedBy: savedBy === null ? null : { developerId: savedBy, name: savedByName ?? "" },
  };
}
