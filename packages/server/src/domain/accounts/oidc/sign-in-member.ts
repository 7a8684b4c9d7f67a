import type { Member } from "@portico/protocol";
import type { MemberOidc } from "../../../platform/config/oidc-settings.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import { RaceLost } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { type Actor, recordChange } from "../../audit/audit-store.ts";
import { findMemberOfName } from "../../directory/directory-names.ts";
import { insertMember, lockMember, updateMember as update } from "../../directory/member-store.ts";
import { findTenant } from "../../directory/tenant-store.ts";
import type { CallOrigin } from "../developer.ts";
import type { GivenTokens, LoginParts } from "../logins.ts";
import { beginMemberSession } from "../member-session.ts";
import { hashOfToken } from "../refresh-tokens.ts";
import { vouchFor } from "../vouching.ts";
import { claimOf, doubtOf } from "./claims.ts";
import type { Flow } from "./flow.ts";
import { addMemberIdentity, findMemberOfIdentity, hasMemberIdentity, useFlow } from "./identity-store.ts";
import { OidcProblem } from "./oidc-problem.ts";
import type { Redeemed } from "./provider.ts";

/** A sign-in that a provider has vouched for. */
export interface VouchedSignIn extends Redeemed {
  flow: Flow;
  origin: CallOrigin;
}

/** A member who has signed in. */
interface SignedInMember extends GivenTokens {
  user: Member;
  /** Whether the provider has changed the name of an account. */
  isRenamed: boolean;
}

/**
 * Signs in the member whom the provider names; the first time, the one of that username if there may be a link, or a new one.
 *
 * @throws OidcProblem when nobody can be signed in.
 */
export async function signInMember(
  ctx: LoginParts,
  settings: MemberOidc,
  signIn: VouchedSignIn,
): Promise<SignedInMember> {
  const { person, flow, origin } = signIn;
  const now = ctx.clock.now();
  return await ctx.storage.write(async (tx) => {
    if (!(await useFlow(tx, hashOfToken(flow.nonce), flow.expiresAt)))
      throw new OidcProblem("USED", "a second callback");
    const { tenantId } = flow;
    const audit = { tx, tenantId, address: origin.address, now };
    const known = await findMemberOfIdentity(tx, tenantId, person);
    const userId = known ?? (await firstSeen(settings, signIn, audit));
    const member = await lockMember(tx, tenantId, userId);
    if (member === null) throw new RaceLost("the member was removed meanwhile");
    if (member.disabled) throw new OidcProblem("DISABLED", userId);
    const name = person.name ?? member.name;
    const isRenamed = name !== member.name;
    if (isRenamed) {
      await update(tx, { ...member, name }, { now });
      await record(audit, { action: "member.update", userId, before: { name: member.name }, after: { name } });
    }
    await vouchFor(tx, userId, "OIDC");
    const given = await beginMemberSession(ctx, tx, { userId, issuer: person.issuer }, origin);
    return { ...given, isRenamed, user: { userId, username: member.username, name, tenantId } };
  }, `sign-in of ${person.issuer} ${person.subject}`);
}

interface Audited {
  tx: Db;
  tenantId: string;
  address: string;
  now: number;
}

/** The member for somebody whom the provider names for the first time. */
async function firstSeen(
  { link, create, claims: names }: MemberOidc,
  { person, claims, unasked }: VouchedSignIn,
  audited: Audited,
): Promise<string> {
  const { tx, tenantId, now } = audited;
  const { username, claimedName, issuer } = person;
  const namesake = claimedName === null ? null : await findMemberOfName(tx, tenantId, claimedName);
  if (namesake === "other") throw new OidcProblem("NAME_TAKEN", "the directory calls that member otherwise");
  const userId = namesake?.userId ?? newId("u");
  if (namesake !== null) {
    if (await hasMemberIdentity(tx, userId, issuer)) throw new OidcProblem("NAME_TAKEN", `${userId} is another person`);
    if (!link) throw new OidcProblem("NAME_TAKEN", `${userId} is not linked`);
    if (unasked !== null && claimOf(claims, doubtOf(names.username)) === undefined) throw unasked;
  } else {
    // Of a name that does not fit none is made: somebody else's could become the same.
    if (username === null) throw unasked ?? new OidcProblem("CLAIMS_INCOMPLETE", "no user name that can be kept");
    if (!create) throw new OidcProblem("UNKNOWN_PERSON", `no member ${username}`);
    if ((await findTenant(tx, tenantId)) === null) throw new OidcProblem("TENANT_REFUSED", `no tenant ${tenantId}`);
    const member = { userId, username, name: person.name ?? username, phone: person.phone, disabled: false };
    const taken = await insertMember(tx, tenantId, member, { passwordHash: null, now });
    if (taken !== null) throw new RaceLost("the username was taken meanwhile");
    await record(audited, { action: "member.create", userId, before: null, after: { ...member, password: "none" } });
  }
  if (!(await addMemberIdentity(tx, { tenantId, userId }, person, now))) throw new RaceLost("somebody was first");
  const after = { issuer, subject: person.subject };
  await record(audited, { action: "member.link", userId, before: null, after });
  return userId;
}

async function record(
  { tx, tenantId, address, now }: Audited,
  { userId, ...change }: { action: string; userId: string; before: object | null; after: object | null },
): Promise<void> {
  const actor: Actor = { type: "SYSTEM", id: "oidc", address };
  await recordChange(tx, actor, { ...change, target: `member:${userId}`, tenantId }, now);
}
