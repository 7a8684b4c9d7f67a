import { newId } from "../../platform/crypto/new-id.ts";
import type { Db } from "../../platform/storage/schema.ts";
import {
  addGroupMembers,
  insertGroup,
  listUserIdsOf,
  lockGroup,
  removeGroupMembers,
  renameGroup,
} from "../directory/group-store.ts";
import { type GroupDraft, MAX_GROUP_MEMBERS } from "./group-resource.ts";
import {
  addToScimGroup,
  deleteScimGroup,
  lockScimGroup,
  membersOfScimGroup,
  putScimGroup,
  removeFromScimGroup,
  type ScimGroup,
} from "./group-store.ts";
import { invalidValue, notFound, ScimError } from "./scim-error.ts";
import { type Directory, recordDirectoryChange, type ScimParts } from "./scim-parts.ts";
import { usersAmong } from "./user-store.ts";

/** Adds a group. @throws ScimError 400 when one of its members is not there. */
export async function createGroup(ctx: ScimParts, directory: Directory, draft: GroupDraft): Promise<ScimGroup> {
  const now = ctx.clock.now();
  const { displayName, externalId } = draft;
  const empty = { groupId: newId("g"), displayName, externalId, addedAt: now, editedAt: now };
  return await write(
    ctx,
    directory,
    async (tx) => await put(ctx, directory, tx, { before: null, group: empty, draft }),
  );
}

/** Changes a group. @throws ScimError 404 */
export async function changeGroup(
  ctx: ScimParts,
  directory: Directory,
  groupId: string,
  change: (draft: GroupDraft) => GroupDraft,
): Promise<ScimGroup> {
  return await write(ctx, directory, async (tx) => {
    const before = await lockScimGroup(tx, directory.tenantId, groupId);
    if (before === null) throw notFound(`group ${groupId}`);
    const members = new Set((await membersOfScimGroup(tx, groupId)).map(({ userId }) => userId));
    const { displayName, externalId, addedAt } = before;
    const draft = change({ displayName, externalId, members: new Set(members) });
    const said = { displayName: draft.displayName, externalId: draft.externalId };
    const group = { groupId, ...said, addedAt, editedAt: ctx.clock.now() };
    return await put(ctx, directory, tx, { before: { ...before, members }, group, draft });
  });
}

/** Deletes a group. The conversation that it was, if it was one, stays, without members. @throws ScimError 404 */
export async function deleteGroup(ctx: ScimParts, directory: Directory, groupId: string): Promise<void> {
  await write(ctx, directory, async (tx) => {
    const before = await lockScimGroup(tx, directory.tenantId, groupId);
    if (before === null) throw notFound(`group ${groupId}`);
    const gone = (await lockGroup(tx, directory.tenantId, groupId)) === null ? [] : await listUserIdsOf(tx, groupId);
    await removeGroupMembers(tx, groupId, gone);
    await deleteScimGroup(tx, groupId);
    await recordDirectoryChange(ctx, tx, directory, {
      action: "group.delete",
      target: `group:${groupId}`,
      before,
      after: null,
    });
    return { group: before, moved: gone };
  });
}

/** A group, and whose conversations have changed with it. */
interface Written {
  group: ScimGroup;
  moved: readonly string[];
}

async function write(ctx: ScimParts, { tenantId }: Directory, unit: (tx: Db) => Promise<Written>): Promise<ScimGroup> {
  const { group, moved } = await ctx.storage.write(unit, `scim ${tenantId}`);
  for (const userId of moved) ctx.live.conversationsChanged(userId);
  return group;
}

async function put(
  ctx: ScimParts,
  directory: Directory,
  tx: Db,
  {
    before,
    group,
    draft,
  }: { before: (ScimGroup & { members: Set<string> }) | null; group: ScimGroup; draft: GroupDraft },
): Promise<Written> {
  const { tenantId } = directory;
  const { groupId } = group;
  if (draft.members.size > MAX_GROUP_MEMBERS) {
    throw new ScimError(400, "tooMany", `a group has at most ${MAX_GROUP_MEMBERS} members`);
  }
  const were = before?.members ?? new Set<string>();
  const added = [...draft.members].filter((userId) => !were.has(userId));
  const removed = [...were].filter((userId) => !draft.members.has(userId));
  const known = await usersAmong(tx, tenantId, added);
  const stranger = added.find((userId) => !known.has(userId));
  if (stranger !== undefined) throw invalidValue(`there is no user ${stranger}`);
  await putScimGroup(tx, tenantId, group);
  await addToScimGroup(tx, groupId, added);
  await removeFromScimGroup(tx, groupId, removed);
  const moved = ctx.config.scim.groupsAsConversations ? await converse(tx, tenantId, group, draft.members) : [];
  await recordDirectoryChange(ctx, tx, directory, {
    action: before === null ? "group.create" : "group.update",
    target: `group:${groupId}`,
    before: before && { displayName: before.displayName, externalId: before.externalId },
    after: { displayName: group.displayName, externalId: group.externalId, added, removed },
  });
  return { group, moved };
}

/** Makes the group's conversation what the group is. Returns whose conversations have changed. */
async function converse(
  tx: Db,
  tenantId: string,
  { groupId, displayName: name }: ScimGroup,
  members: ReadonlySet<string>,
): Promise<string[]> {
  const known = await lockGroup(tx, tenantId, groupId);
  if (known === null) await insertGroup(tx, tenantId, { groupId, name });
  else if (known.name !== name) await renameGroup(tx, { groupId, name });
  const present = new Set(await listUserIdsOf(tx, groupId));
  const joined = [...members].filter((userId) => !present.has(userId));
  const left = [...present].filter((userId) => !members.has(userId));
  for (let from = 0; from < joined.length; from += 500)
    await addGroupMembers(tx, groupId, joined.slice(from, from + 500));
  for (let from = 0; from < left.length; from += 500)
    await removeGroupMembers(tx, groupId, left.slice(from, from + 500));
  return known !== null && known.name !== name ? [...members, ...left] : [...joined, ...left];
}
