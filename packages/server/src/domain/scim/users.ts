import { englishOf, wordsOf } from "@portico/protocol";
import { newId } from "../../platform/crypto/new-id.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { endTokens } from "../accounts/member-session.ts";
import { ruleBrokenBy } from "../accounts/password-rules.ts";
import { endConsoleOfMember } from "../accounts/pending-sign-ins.ts";
import { vouchFor } from "../accounts/vouching.ts";
import { differencesOf } from "../audit/differences.ts";
import { usernameOf } from "../directory/directory-names.ts";
import { removeGroupMembers } from "../directory/group-store.ts";
import { insertMember, lockMember, updateMember } from "../directory/member-store.ts";
import { holdUsername } from "../directory/user-names.ts";
import { isShutOutByOperator, markDisabledBy } from "../directory/whose-word.ts";
import { groupsOfMember, removeFromScimGroups } from "./group-store.ts";
import { shownName } from "./person-name.ts";
import { invalidValue, notFound, ScimError } from "./scim-error.ts";
import { type Directory, recordDirectoryChange, type ScimParts } from "./scim-parts.ts";
import type { NewUser, ScimUser, UserChange } from "./user-resource.ts";
import { findUser, markDeleted, putDirectoryWords, renameUser } from "./user-store.ts";

/** Adds a user. @throws ScimError 409 when the user name is taken. */
export async function createUser(
  ctx: ScimParts,
  directory: Directory,
  { password, ...said }: NewUser,
): Promise<ScimUser> {
  const now = ctx.clock.now();
  const user = {
    ...{ userId: newId("u"), active: true, addedAt: now, editedAt: now },
    ...said,
    displayName: shownName(said, said.userName),
  };
  const passwordHash = await hashOf(ctx, password, user);
  await ctx.storage.write(async (tx) => {
    const { userId, userName, displayName: name, phone, active } = user;
    const member = { userId, username: usernameHere(userName), name, phone, disabled: !active };
    const taken = await insertMember(tx, directory.tenantId, member, { passwordHash: passwordHash ?? null, now });
    if (taken !== null) throw nameTaken(userName, taken.username ?? userName);
    // A member is inserted as one who may sign in.
    if (!active) await updateMember(tx, member, { now });
    if (!active) await markDisabledBy(tx, userId, "SCIM");
    await vouchFor(tx, userId, "SCIM");
    await putDirectoryWords(tx, directory.tenantId, user);
    const { addedAt: _, editedAt: __, ...told } = user;
    const after = { ...told, password: passwordHash === undefined ? "none" : "set" };
    await recordDirectoryChange(ctx, tx, directory, {
      action: "member.create",
      target: `member:${userId}`,
      before: null,
      after,
    });
  });
  return user;
}

/**
 * Changes a user. Whoever is no longer active, or has another password, is signed out everywhere at once; whom an operator has
 * disabled stays inactive.
 *
 * @param changeOf what to change of the user as it is then.
 * @throws ScimError 404, or 409 when the user name is taken.
 */
export async function changeUser(
  ctx: ScimParts,
  directory: Directory,
  userId: string,
  changeOf: (user: ScimUser) => UserChange,
): Promise<ScimUser> {
  const { tenantId } = directory;
  const asked = await findUser(ctx.storage.db, tenantId, userId);
  if (asked === null) throw notFound(`user ${userId}`);
  const { password } = changeOf(asked);
  const passwordHash = await hashOf(ctx, password, asked);
  const { user, isSignedOut, isRenamed } = await ctx.storage.write(async (tx) => {
    const before = await lockUser(tx, tenantId, userId);
    const { password: _, ...said } = changeOf(before);
    // Who says again what is so already vouches for it as well.
    if (said.phone !== undefined || said.active !== undefined || passwordHash !== undefined)
      await vouchFor(tx, userId, "SCIM");
    if (said.active && !before.active && (await isShutOutByOperator(tx, userId))) said.active = false;
    const differences = differencesOf(before, { ...said, ...renamed(before, said) });
    if (differences === null && passwordHash === undefined)
      return { user: before, isSignedOut: false, isRenamed: false };
    const after = { ...before, ...differences?.after, editedAt: ctx.clock.now() };
    const { userName, displayName: name, phone, active } = after;
    const username = usernameHere(userName);
    if (username !== usernameHere(before.userName)) {
      const holder = await holdUsername(tx, tenantId, { userId, username });
      if (holder !== null) throw nameTaken(userName, holder.username);
      await renameUser(tx, userId, username);
    }
    const member = { userId, username, name, phone, disabled: !active };
    await updateMember(tx, member, { passwordHash, now: after.editedAt });
    await putDirectoryWords(tx, tenantId, after);
    const isMoved = phone !== before.phone;
    if (before.active && !active) await markDisabledBy(tx, userId, "SCIM");
    const isSignedOut = !active || passwordHash !== undefined;
    if (isSignedOut) await endTokens(tx, userId);
    else if (isMoved) await endConsoleOfMember(tx, userId);
    await recordDirectoryChange(ctx, tx, directory, {
      action: actionOf(before.active, active),
      target: `member:${userId}`,
      before: { ...differences?.before },
      after: { ...differences?.after, ...(passwordHash !== undefined && { password: "changed" }) },
    });
    return { user: after, isSignedOut, isRenamed: true };
  }, `scim ${tenantId}`);
  if (isRenamed) ctx.memberTokens.forget(userId);
  if (isSignedOut) ctx.live.signedOut(userId);
  return user;
}

/**
 * Deletes a user: signed out everywhere, in no group, and unknown to the directory. What they wrote stays under their id.
 *
 * @throws ScimError 404
 */
export async function deleteUser(ctx: ScimParts, directory: Directory, userId: string): Promise<void> {
  const { tenantId } = directory;
  await ctx.storage.write(async (tx) => {
    const before = await lockUser(tx, tenantId, userId);
    await endTokens(tx, userId);
    for (const groupId of await groupsOfMember(tx, userId)) await removeGroupMembers(tx, groupId, [userId]);
    await removeFromScimGroups(tx, userId);
    await markDeleted(tx, tenantId, userId, ctx.clock.now());
    await recordDirectoryChange(ctx, tx, directory, {
      action: "member.delete",
      target: `member:${userId}`,
      before,
      after: null,
    });
  }, `scim ${tenantId}`);
  ctx.memberTokens.forget(userId);
  ctx.live.signedOut(userId);
}

async function lockUser(tx: Db, tenantId: string, userId: string): Promise<ScimUser> {
  await lockMember(tx, tenantId, userId);
  const user = await findUser(tx, tenantId, userId);
  if (user === null) throw notFound(`user ${userId}`);
  return user;
}

async function hashOf(
  { config, passwords }: ScimParts,
  password: string | undefined,
  { userName, displayName: name, phone }: Pick<ScimUser, "userName" | "displayName" | "phone">,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  const broken = ruleBrokenBy(config, password, { username: usernameHere(userName), name, phone });
  if (broken !== null) throw invalidValue(englishOf(wordsOf(broken)) ?? "the password breaks a rule");
  return await passwords.hash(password);
}

/** The user name that a directory's makes, which was checked before. */
function usernameHere(userName: string): string {
  return usernameOf(userName) ?? userName;
}

function actionOf(wasActive: boolean, isActive: boolean): string {
  if (wasActive === isActive) return "member.update";
  return isActive ? "member.enable" : "member.disable";
}

function nameTaken(userName: string, holder: string): ScimError {
  return new ScimError(409, "uniqueness", `the userName ${userName} is taken: there is a user ${holder}`);
}

/** The display name that follows from a change of names; nothing where they say the same as before. */
function renamed(before: ScimUser, said: UserChange): { displayName?: string } {
  const after = { ...before, ...said };
  const displayName = shownName(after, after.userName);
  return displayName === shownName(before, before.userName) ? {} : { displayName };
}
