import { type SqlBool, sql } from "kysely";
import type { Config } from "../../platform/config/config.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { hashOfToken } from "./refresh-tokens.ts";

/** A member's sign-in to the messenger. */
export interface MemberSignIn {
  userId: string;
  /** Identifies it: the `login_id` of its login, or the hash of a token that belongs to none. */
  session: string;
  /** The provider that it was made with; null: with a password. */
  issuer: string | null;
}

/** A developer account that a member can sign in to. */
export interface DeveloperOfMember {
  developerId: string;
  name: string;
  channelId: number;
  /** The only tenant that such a login may see; null: all of the developer's. */
  tenantId: string | null;
}

/** The sign-in of a member that an access token belongs to; null when that has ended. */
export async function signInOfToken(db: Db, userId: string, accessToken: string): Promise<MemberSignIn | null> {
  const hash = hashOfToken(accessToken);
  const row = await db
    .selectFrom("member_tokens")
    .leftJoin("member_logins", "member_logins.login_id", "member_tokens.login_id")
    .select(["member_tokens.login_id as loginId", "issuer"])
    .where("token_hash", "=", hash)
    .where("member_tokens.user_id", "=", userId)
    .executeTakeFirst();
  return row === undefined ? null : { userId, session: row.loginId ?? hash, issuer: row.issuer };
}

/**
 * Locks a member and one of their sign-ins until the transaction ends, so that neither what is known of the member nor the
 * sign-in changes meanwhile; an update locks a row on both engines. Lock them before any developer.
 *
 * @returns null when the sign-in has ended or the member is disabled.
 */
export async function lockSignIn(
  tx: Db,
  { userId, session }: { userId: string; session: string },
): Promise<MemberSignIn | null> {
  const { numUpdatedRows } = await tx
    .updateTable("members")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("user_id", "=", userId)
    .where("disabled", "=", 0)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return null;
  const login = await tx
    .updateTable("member_logins")
    .set((eb) => ({ refresh_hash: eb.ref("refresh_hash") }))
    .where("login_id", "=", session)
    .where("user_id", "=", userId)
    .returning("issuer")
    .executeTakeFirst();
  if (login !== undefined) return { userId, session, issuer: login.issuer };
  const token = await tx
    .updateTable("member_tokens")
    .set((eb) => ({ expires_at: eb.ref("expires_at") }))
    .where("token_hash", "=", session)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return token.numUpdatedRows === 0n ? null : { userId, session, issuer: null };
}

/**
 * The enabled developer with the member's phone number. Of several, one of the member's tenant is preferred, then the lowest
 * channel. Null when there is none, or when the member has no phone number.
 *
 * Where a directory or a provider vouches for the member, only a developer counts who is no operator and whose tenants are all
 * the member's, and the login is confined to that tenant. Where developers sign in with their provider only, a member who has
 * signed in otherwise stands for operators alone.
 */
export async function findDeveloperOfMember(
  db: Db,
  { oidc }: Pick<Config, "oidc">,
  { userId, issuer }: MemberSignIn,
): Promise<DeveloperOfMember | null> {
  const member = await findMember(db, userId);
  if (member === undefined || member.phone === null) return null;
  const { tenantId } = member;
  const isVouched = issuer !== null || isVouchedFor(member);
  const onlyIssuer = onlyIssuerOf({ oidc });
  const hasTenant = (comparison: "=" | "<>") =>
    sql<SqlBool>`exists (
      select 1 from developer_tenants as held
      where held.developer_id = developers.developer_id and held.tenant_id ${sql.raw(comparison)} ${tenantId})`;
  let query = db
    .selectFrom("developers")
    .select(["developer_id as developerId", "name", "channel_id as channelId"])
    .where("phone", "=", member.phone)
    .where("disabled", "=", 0);
  if (isVouched) {
    query = query
      .where("operator", "=", 0)
      .where(hasTenant("="))
      .where(sql<SqlBool>`not ${hasTenant("<>")}`);
  }
  if (onlyIssuer !== null && issuer !== onlyIssuer) query = query.where("operator", "=", 1);
  const row = await query.orderBy(hasTenant("="), "desc").orderBy("channel_id").limit(1).executeTakeFirst();
  return row === undefined ? null : { ...row, tenantId: isVouched ? tenantId : null };
}

/** Whether a developer who is no operator may sign in by QR code: members must be able to sign in with the same provider. */
export function mayUseQr({ oidc }: Pick<Config, "oidc">): boolean {
  const onlyIssuer = onlyIssuerOf({ oidc });
  return onlyIssuer === null || oidc.members?.issuer === onlyIssuer;
}

/** The provider that all developers but operators sign in with; null when they may do so otherwise. */
function onlyIssuerOf({ oidc: { developers } }: Pick<Config, "oidc">): string | null {
  return developers?.only ? developers.issuer : null;
}

async function findMember(db: Db, userId: string) {
  return await db
    .selectFrom("members")
    .select((eb) => [
      "tenant_id as tenantId",
      "phone",
      "vouched_by as vouchedBy",
      eb
        .exists(eb.selectFrom("scim_users").select("user_id").whereRef("scim_users.user_id", "=", "members.user_id"))
        .as("isOfDirectory"),
      eb
        .exists(
          eb
            .selectFrom("member_identities")
            .select("user_id")
            .whereRef("member_identities.user_id", "=", "members.user_id"),
        )
        .as("isOfProvider"),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Until it was noted, everybody counts as vouched for whom a directory or a provider knows. */
function isVouchedFor({ vouchedBy, isOfDirectory, isOfProvider }: NonNullable<Awaited<ReturnType<typeof findMember>>>) {
  return vouchedBy === null ? Boolean(isOfDirectory) || Boolean(isOfProvider) : vouchedBy !== "OPERATOR";
}
