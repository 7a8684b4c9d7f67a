import { randomBytes } from "node:crypto";
import type { Db } from "../../platform/storage/schema.ts";

/** The ids by which an application knows a member; they reveal nothing about the userId. */
export interface Identity {
  /** One per member and application. */
  openId: string;
  /** One per member and owner of applications. */
  unionId: string;
}

/**
 * The identity of a member for an application. The ids are created on first use and never change; concurrent calls get
 * the same ids.
 *
 * @param app.ownerId null for an application without owner: it shares its unionIds with no other application.
 */
export async function identityOf(
  tx: Db,
  { appId, ownerId }: { appId: string; ownerId: string | null },
  userId: string,
): Promise<Identity> {
  const openId = await openIdOf(tx, appId, userId);
  const unionId = await unionIdOf(tx, ownerId ?? `app:${appId}`, userId);
  return { openId, unionId };
}

async function openIdOf(tx: Db, appId: string, userId: string): Promise<string> {
  const { open_id } = await tx
    .insertInto("miniapp_open_ids")
    .values({ app_id: appId, user_id: userId, open_id: randomId("o") })
    // The update changes nothing, but RETURNING only returns written rows.
    .onConflict((conflict) => conflict.columns(["app_id", "user_id"]).doUpdateSet({ user_id: userId }))
    .returning("open_id")
    .executeTakeFirstOrThrow();
  return open_id;
}

async function unionIdOf(tx: Db, ownerId: string, userId: string): Promise<string> {
  const { union_id } = await tx
    .insertInto("miniapp_union_ids")
    .values({ owner_id: ownerId, user_id: userId, union_id: randomId("un") })
    .onConflict((conflict) => conflict.columns(["owner_id", "user_id"]).doUpdateSet({ user_id: userId }))
    .returning("union_id")
    .executeTakeFirstOrThrow();
  return union_id;
}

function randomId(prefix: "o" | "un"): string {
  return `${prefix}_${randomBytes(16).toString("hex")}`;
}
