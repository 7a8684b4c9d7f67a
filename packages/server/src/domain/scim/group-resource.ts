import { UpdateMemberBodySchema } from "@portico/protocol/schemas";
import { Compile } from "typebox/compile";
import { fits } from "./filter.ts";
import type { ScimGroup } from "./group-store.ts";
import { checkBody, metaOf } from "./meta.ts";
import { memberOf, type Operation } from "./patch.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
/** The most members of a group. */
export const MAX_GROUP_MEMBERS = 5_000;

/** A group that is being changed. */
export interface GroupDraft {
  displayName: string;
  externalId: string | null;
  members: Set<string>;
}

const isName = Compile(UpdateMemberBodySchema.properties.name);

/** A group as answers show it. @param members null: they are left out. */
export function groupResource(
  { groupId, displayName, externalId, addedAt, editedAt }: ScimGroup,
  members: readonly { userId: string; displayName: string }[] | null,
  location: string,
): object {
  return {
    schemas: [GROUP_SCHEMA],
    id: groupId,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members !== null && {
      members: members.map(({ userId, displayName: display }) => ({ value: userId, display, type: "User" })),
    }),
    meta: metaOf("Group", location, { addedAt, editedAt }),
  };
}

/** What the body of a POST or PUT says of a group. @throws ScimError 400 */
export function groupIn(body: unknown): GroupDraft {
  checkBody(body);
  return {
    displayName: nameOf(memberOf(body, "displayname")),
    externalId: externalIdOf(memberOf(body, "externalid")),
    members: new Set(idsIn(memberOf(body, "members") ?? [])),
  };
}

/** Applies an operation to a draft. @throws ScimError 400 */
export function applyToGroup(draft: GroupDraft, { op, attribute, selector, value }: Operation): void {
  const isRemoval = op === "remove";
  if (attribute === "displayname") draft.displayName = nameOf(isRemoval ? undefined : value);
  else if (attribute === "externalid") draft.externalId = isRemoval ? null : externalIdOf(value);
  else if (attribute === "members") changeMembers(draft, op, selector, value);
}

function changeMembers(draft: GroupDraft, op: Operation["op"], selector: Operation["selector"], value: unknown): void {
  if (op === "remove") {
    const named =
      selector === null ? null : [...draft.members].filter((id) => fits(selector, { value: id, type: "User" }));
    const gone = named ?? (value === undefined || value === null ? [...draft.members] : idsIn(value));
    for (const userId of gone) draft.members.delete(userId);
    return;
  }
  const ids = idsIn(value);
  draft.members = new Set(op === "replace" ? ids : [...draft.members, ...ids]);
}

function idsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_GROUP_MEMBERS)
    throw new ScimError(400, "tooMany", `a group has at most ${MAX_GROUP_MEMBERS} members`);
  return list.map((each) => {
    const id = memberOf(each, "value");
    if (typeof id === "string" && id.length <= 256 && !id.includes("\0")) return id;
    throw invalidValue("members are objects with the id of a user as value");
  });
}

function nameOf(value: unknown): string {
  if (isName.Check(value)) return String(value);
  throw invalidValue("displayName is required: a text of 1 to 100 characters");
}

function externalIdOf(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "string" && value.length <= 256 && !/[\0\p{Surrogate}]/u.test(value)) return value;
  throw invalidValue("externalId is a text of at most 256 characters");
}
