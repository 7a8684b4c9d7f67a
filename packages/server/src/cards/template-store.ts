import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/schema.ts";

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
