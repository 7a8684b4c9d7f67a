import type { Db } from "../../platform/storage/schema.ts";

/** Whether there is a developer who has a password and is not disabled, or any member. */
export async function canAnybodySignIn(db: Db): Promise<boolean> {
  const developer = db
    .selectFrom("developers")
    .select("developer_id")
    .where("password_hash", "is not", null)
    .where("disabled", "=", 0)
    .limit(1);
  if ((await developer.executeTakeFirst()) !== undefined) return true;
  return (await db.selectFrom("members").select("user_id").limit(1).executeTakeFirst()) !== undefined;
}
