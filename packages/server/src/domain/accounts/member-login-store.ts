import { type SqlBool, sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";
import type { HashedToken, LoginStore, RenewedLogin } from "./logins.ts";
import { readRotated } from "./refresh-rotation.ts";

/** Limits per member, and per login. When a limit is reached, the oldest is removed. */
const MAX_LOGINS = 100;
const MAX_TOKENS = 100;
const MAX_TOKENS_OF_LOGIN = 20;

const deleteAllBut = prepared<{ userId: string; newest: number }>()((db, param) =>
  db
    .deleteFrom("member_tokens")
    .where("user_id", "=", param("userId"))
    .where("token_hash", "not in", (eb) =>
      eb
        .selectFrom("member_tokens as kept")
        .select("kept.token_hash")
        .where("kept.user_id", "=", param("userId"))
        .orderBy("kept.expires_at", "desc")
        .orderBy("kept.token_hash")
        .limit(param("newest")),
    ),
);

/** A login that was ended. */
export interface EndedMemberLogin {
  userId: string;
  /** When it would have expired, in epoch milliseconds. */
  expiresAt: number;
}

/** Inserts a login for a member. */
export async function insertMemberLogin(
  tx: Db,
  userId: string,
  { loginId, refreshHash, generation, rotated, sharedUntil, now, expiresAt }: RenewedLogin,
): Promise<void> {
  const others = tx
    .selectFrom("member_logins")
    .select("login_id")
    .where("user_id", "=", userId)
    .orderBy("expires_at", "desc")
    .limit(MAX_LOGINS - 1);
  await tx.deleteFrom("member_logins").where("user_id", "=", userId).where("login_id", "not in", others).execute();
  await tx
    .insertInto("member_logins")
    .values({
      login_id: loginId,
      user_id: userId,
      refresh_hash: refreshHash,
      generation,
      rotated: JSON.stringify(rotated),
      shared_until: sharedUntil,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
}

async function isLogin(db: Db, loginId: string): Promise<boolean> {
  const row = await db
    .selectFrom("member_logins")
    .select("login_id")
    .where("login_id", "=", loginId)
    .executeTakeFirst();
  return row !== undefined;
}

/** An update locks a row on both engines. */
async function lock(tx: Db, loginId: string, now: number): ReturnType<LoginStore<string, EndedMemberLogin>["lock"]> {
  const row = await tx
    .updateTable("member_logins")
    .set((eb) => ({ refresh_hash: eb.ref("refresh_hash") }))
    .where("login_id", "=", loginId)
    .where("expires_at", ">", now)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("members")
          .select("disabled")
          .whereRef("members.user_id", "=", "member_logins.user_id")
          .where("disabled", "=", 0),
      ),
    )
    .returning([
      "user_id as userId",
      "refresh_hash as refreshHash",
      "generation",
      "rotated",
      "shared_until as sharedUntil",
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { userId, rotated, ...state } = row;
  return { owner: userId, state: { ...state, rotated: readRotated(rotated) } };
}

async function renew(tx: Db, { loginId, expiresAt, ...state }: RenewedLogin): Promise<void> {
  await tx
    .updateTable("member_logins")
    .set({
      refresh_hash: state.refreshHash,
      generation: state.generation,
      rotated: JSON.stringify(state.rotated),
      shared_until: state.sharedUntil,
      expires_at: expiresAt,
    })
    .where("login_id", "=", loginId)
    .execute();
}

async function end(tx: Db, loginId: string): Promise<EndedMemberLogin | null> {
  const row = await tx
    .deleteFrom("member_logins")
    .where("login_id", "=", loginId)
    .returning(["user_id as userId", "expires_at as expiresAt"])
    .executeTakeFirst();
  return row ?? null;
}

async function insertAccessToken(
  tx: Db,
  loginId: string,
  userId: string,
  { hash, expiresAt }: HashedToken,
): Promise<void> {
  await deleteAllBut.affected(tx, { userId, newest: MAX_TOKENS - 1 });
  const others = tx
    .selectFrom("member_tokens")
    .select("token_hash")
    .where("login_id", "=", loginId)
    .orderBy("expires_at", "desc")
    .limit(MAX_TOKENS_OF_LOGIN - 1);
  await tx.deleteFrom("member_tokens").where("login_id", "=", loginId).where("token_hash", "not in", others).execute();
  await tx
    .insertInto("member_tokens")
    .values({ token_hash: hash, user_id: userId, expires_at: expiresAt, login_id: loginId })
    .execute();
}

/** Logins by the userId of whom they are of. */
export const MEMBER_LOGINS: LoginStore<string, EndedMemberLogin> = { isLogin, lock, renew, end, insertAccessToken };

/** Deletes logins that can no longer be refreshed or used; expired access tokens go first. */
export async function sweepMemberLogins(storage: Writes, now: number): Promise<void> {
  const condition = sql<SqlBool>`not exists (select login_id from member_tokens
    where member_tokens.login_id = member_logins.login_id)`;
  await removeOld(storage, "member_logins", { key: ["login_id"], column: "expires_at", before: now + 1, condition });
}
