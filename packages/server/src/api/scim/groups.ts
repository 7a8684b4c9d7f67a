import { applyToGroup, groupIn, groupResource } from "../../domain/scim/group-resource.ts";
import { listScimGroups, membersOfScimGroup, type ScimGroup } from "../../domain/scim/group-store.ts";
import { changeGroup, createGroup, deleteGroup } from "../../domain/scim/groups.ts";
import { operationsIn } from "../../domain/scim/patch.ts";
import { notFound } from "../../domain/scim/scim-error.ts";
import { listAnswer, listOf } from "./lists.ts";
import type { AddScimRoute, ScimApiParts, ScimCall } from "./scim-route.ts";

/** Members of all groups of a page together; a page has fewer groups rather than more. */
const MAX_MEMBERS_OF_PAGE = 20_000;

type Shown = Pick<ScimCall, "base" | "projection">;

/** /Groups: the groups of the directory. */
export function addGroupRoutes(ctx: ScimApiParts, add: AddScimRoute): void {
  async function shown({ base, projection }: Shown, group: ScimGroup): Promise<object> {
    const members = projection.shows("members") ? await membersOfScimGroup(ctx.storage.db, group.groupId) : null;
    return projection.of(groupResource(group, members, `${base}/Groups/${encodeURIComponent(group.groupId)}`));
  }

  add("GET", "/Groups", async (call) => {
    const { part, filter } = listOf(call.query);
    const { groups, total } = await listScimGroups(ctx.storage.lists, call.directory.tenantId, filter, part);
    const resources: object[] = [];
    let members = 0;
    for (const group of groups) {
      const resource = await shown(call, group);
      members += "members" in resource && Array.isArray(resource.members) ? resource.members.length : 0;
      if (members > MAX_MEMBERS_OF_PAGE && resources.length > 0) break;
      resources.push(resource);
    }
    return { body: listAnswer(resources, total, part) };
  });
  add("POST", "/Groups", async (call) => {
    const group = await createGroup(ctx, call.directory, groupIn(call.body));
    return { status: 201, location: `${call.base}/Groups/${group.groupId}`, body: await shown(call, group) };
  });
  add("GET", "/Groups/:id", async (call) => {
    const terms = [[{ attribute: "id", value: call.id }]];
    const { groups } = await listScimGroups(ctx.storage.db, call.directory.tenantId, terms, { offset: 0, limit: 1 });
    const [group] = groups;
    if (group === undefined) throw notFound(`group ${call.id}`);
    return { body: await shown(call, group) };
  });
  add("PUT", "/Groups/:id", async (call) => {
    const draft = groupIn(call.body);
    return { body: await shown(call, await changeGroup(ctx, call.directory, call.id, () => draft)) };
  });
  add("PATCH", "/Groups/:id", async (call) => {
    const operations = operationsIn(call.body);
    const group = await changeGroup(ctx, call.directory, call.id, (draft) => {
      for (const operation of operations) applyToGroup(draft, operation);
      return draft;
    });
    return { body: await shown(call, group) };
  });
  add("DELETE", "/Groups/:id", async ({ directory, id }) => {
    await deleteGroup(ctx, directory, id);
    return {};
  });
}
