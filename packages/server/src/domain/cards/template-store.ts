import type { Template, TemplateVersion } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Versions of a template that are kept; the oldest give way. */
const MAX_VERSIONS = 100;
/** What an integer column holds. */
const MAX_VERSION = 2 ** 31 - 1;

const select = prepared<{ appId: string; cardId: string }>()((db, param) =>
  db
    .selectFrom("card_templates")
    .select(["card", "version"])
    .where("card_id", "=", param("cardId"))
    .where("app_id", "=", param("appId")),
);

/** A template of the application as it is now, its card as JSON text; null when it has none of that id. */
export async function findTemplate(
  db: Db,
  appId: string,
  cardId: string,
): Promise<{ card: string; version: number } | null> {
  // PostgreSQL's texts hold no NUL, and no id does.
  if (cardId.includes("\0")) return null;
  return (await select.first(db, { appId, cardId })) ?? null;
}

/** What a version of a template says. */
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

/** A page of the application's templates, the one that was saved last first. */
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

/** A template of the application with its card as JSON text; null when it has none of that id. */
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

/** A template that nobody else changes until the transaction that holds it ends. */
export interface LockedTemplate extends TemplateContent {
  cardId: string;
  version: number;
}

/** Locks a template of the application: writing to a row holds it on either engine. Null when it has none of that id. */
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

/** Adds a template, whose version is 1. */
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
 * Saves a template that is locked: as one version more than there has ever been, also where a provisioning file has brought
 * an older one back.
 *
 * @returns the version; null, and nothing must be kept of the transaction, when there are no numbers left.
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

/** Removes a template of the application with all its versions; null when it has none of that id. */
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

/** The versions that were kept of a template, newest first. The current one is missing when a provisioning file said it. */
export async function listVersions(db: Db, cardId: string): Promise<TemplateVersion[]> {
  return (await selectVersions(db, cardId).orderBy("saves.version", "desc").execute()).map(toVersion);
}

/** A version that was kept of a template, its card as JSON text; null when it was not. */
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

/** For when a provisioning file has said what the current version is: one of its number that says otherwise is forgotten. */
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

/** What a provisioning file said is kept only now that something else takes its place. */
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
