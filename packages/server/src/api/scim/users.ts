import { groupsOfUsers } from "../../domain/scim/group-store.ts";
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
  async function shown({ base, projection }: Shown, users: readonly ScimUser[]): Promise<object[]> {
    const ids = users.map(({ userId }) => userId);
    const groups = projection.shows("groups") ? await groupsOfUsers(ctx.storage.db, ids, MAX_GROUPS_OF_PAGE) : null;
    return users.map((user) => projection.of(userResource(user, groups && (groups.get(user.userId) ?? []), base)));
  }
  async function one(call: Shown, user: ScimUser): Promise<object> {
    const [resource = {}] = await shown(call, [user]);
    return resource;
  }

  add("GET", "/Users", async (call) => {
    const { part, filter } = listOf(call.query);
    const { users, total } = await listUsers(ctx.storage.lists, call.directory.tenantId, filter, part);
    return { body: listAnswer(await shown(call, users), total, part) };
  });
  add("POST", "/Users", async (call) => {
    const user = await createUser(ctx, call.directory, userIn(call.body));
    return { status: 201, location: `${call.base}/Users/${user.userId}`, body: await one(call, user) };
  });
  add("GET", "/Users/:id", async (call) => {
    const user = await findUser(ctx.storage.db, call.directory.tenantId, call.id);
    if (user === null) throw notFound(`user ${call.id}`);
    return { body: await one(call, user) };
  });
  add("PUT", "/Users/:id", async (call) => {
    const said = userIn(call.body);
    return { body: await one(call, await changeUser(ctx, call.directory, call.id, () => said)) };
  });
  add("PATCH", "/Users/:id", async (call) => {
    const operations = operationsIn(call.body);
    const user = await changeUser(ctx, call.directory, call.id, (before) => {
      let change: UserChange = {};
      for (const operation of operations) change = { ...change, ...userChangeOf(operation, { ...before, ...change }) };
      return change;
    });
    return { body: await one(call, user) };
  });
  add("DELETE", "/Users/:id", async ({ directory, id }) => {
    await deleteUser(ctx, directory, id);
    return {};
  });
}
