import type { TemplateVersion } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import type { LockedTemplate, Saving, TemplateContent } from "./template-content.ts";

/** The most versions kept per template; the oldest are deleted. */
const MAX_VERSIONS = 100;
/** The maximum of an integer column. */
export const MAX_VERSION = 2 ** 31 - 1;

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

export async function insertVersion(
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
export async function keepProvisioned(tx: Db, { cardId, version, name, card }: LockedTemplate): Promise<void> {
  await tx
    .insertInto("card_template_versions")
    .values({ card_id: cardId, version, name, card, saved_by: null, saved_at: null })
    .onConflict((conflict) => conflict.columns(["card_id", "version"]).doNothing())
    .execute();
}

export async function removeOldest(tx: Db, cardId: string): Promise<void> {
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

/** A saved version as the database has it. */
export interface SavedRow {
  name: string;
  version: number;
  savedAt: number | null;
  savedBy: string | null;
  savedByName: string | null;
}

export function toVersion({ version, name, savedAt, savedBy, savedByName }: SavedRow): TemplateVersion {
  return {
    version,
    name,
    savedAt,
    savedBy: savedBy === null ? null : { developerId: savedBy, name: savedByName ?? "" },
  };
}
