import type { Db } from "../../platform/storage/schema.ts";

/** Whether there is a developer or a member who has a password and is not disabled. */
export async function canAnybodySignIn(db: Db): Promise<boolean> {
  const developer = db
    .selectFrom("developers")
    .select("developer_id")
    .where("password_hash", "is not", null)
    .where("disabled", "=", 0)
    .limit(1);
  if ((await developer.executeTakeFirst()) !== undefined) return true;
  const member = db
    .selectFrom("members")
    .select("user_id")
    .where("password_hash", "is not", null)
    .where("disabled", "=", 0)
    .limit(1);
  return (await member.executeTakeFirst()) !== undefined;
}
