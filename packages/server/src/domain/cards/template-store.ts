import type { Template } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { LockedTemplate, Saving, TemplateContent } from "./template-content.ts";
import {
  insertVersion,
  keepProvisioned,
  MAX_VERSION,
  removeOldest,
  type SavedRow,
  toVersion,
} from "./template-version-store.ts";

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

function toTemplate({ cardId, ...row }: SavedRow & { cardId: string }): Template {
  const { version, name, savedAt: updatedAt, savedBy: updatedBy } = toVersion(row);
  return { cardId, name, version, updatedAt, updatedBy };
}
