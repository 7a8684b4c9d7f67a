import { groupsOfUser } from "../../domain/scim/group-store.ts";
import { operationsIn } from "../../domain/scim/patch.ts";
import { notFound } from "../../domain/scim/scim-error.ts";
import { type ScimUser, type UserChange, userChangeOf, userIn, userResource } from "../../domain/scim/user-resource.ts";
import { findUser, listUsers } from "../../domain/scim/user-store.ts";
import { changeUser, createUser, deleteUser } from "../../domain/scim/users.ts";
import { listAnswer, listOf } from "./lists.ts";
import type { AddScimRoute, ScimApiParts, ScimCall } from "./scim-route.ts";

type Shown = Pick<ScimCall, "base" | "projection">;

/** Groups of all users of a page together; a page has fewer users rather than more. */
const MAX_GROUPS_OF_PAGE = 20_000;

/** /Users: the members of the tenant. */
export function addUserRoutes(ctx: ScimApiParts, add: AddScimRoute): void {
  const groupsShown = async ({ projection }: Shown, { userId }: ScimUser) =>
    projection.shows("groups") ? await groupsOfUser(ctx.storage.db, userId) : null;
  async function shown(call: Shown, user: ScimUser): Promise<object> {
    return call.projection.of(userResource(user, await groupsShown(call, user), call.base));
  }

  add("GET", "/Users", async (call) => {
    const { part, filter } = listOf(call.query);
    const { users, total } = await listUsers(ctx.storage.lists, call.directory.tenantId, filter, part);
    const resources: object[] = [];
    let inGroups = 0;
    for (const user of users) {
      const groups = await groupsShown(call, user);
      inGroups += groups?.length ?? 0;
      if (inGroups > MAX_GROUPS_OF_PAGE && resources.length > 0) break;
      resources.push(call.projection.of(userResource(user, groups, call.base)));
    }
    return { body: listAnswer(resources, total, part) };
  });
  add("POST", "/Users", async (call) => {
    const user = await createUser(ctx, call.directory, userIn(call.body));
    return { status: 201, location: `${call.base}/Users/${user.userId}`, body: await shown(call, user) };
  });
  add("GET", "/Users/:id", async (call) => {
    const user = await findUser(ctx.storage.db, call.directory.tenantId, call.id);
    if (user === null) throw notFound(`user ${call.id}`);
    return { body: await shown(call, user) };
  });
  add("PUT", "/Users/:id", async (call) => {
    const said = userIn(call.body);
    return { body: await shown(call, await changeUser(ctx, call.directory, call.id, () => said)) };
  });
  add("PATCH", "/Users/:id", async (call) => {
    const operations = operationsIn(call.body);
    const user = await changeUser(ctx, call.directory, call.id, (before) => {
      let change: UserChange = {};
      for (const operation of operations) change = { ...change, ...userChangeOf(operation, { ...before, ...change }) };
      return change;
    });
    return { body: await shown(call, user) };
  });
  add("DELETE", "/Users/:id", async ({ directory, id }) => {
    await deleteUser(ctx, directory, id);
    return {};
  });
}
