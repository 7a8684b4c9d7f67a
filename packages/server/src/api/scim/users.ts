import { operationsIn } from "../../domain/scim/patch.ts";
import { notFound } from "../../domain/scim/scim-error.ts";
import { type ScimUser, userChangeOf, userIn, userResource } from "../../domain/scim/user-resource.ts";
import { findUser, listUsers } from "../../domain/scim/user-store.ts";
import { changeUser, createUser, deleteUser } from "../../domain/scim/users.ts";
import { listAnswer, listOf } from "./lists.ts";
import type { AddScimRoute, ScimApiParts } from "./scim-route.ts";

/** /Users: the members of the tenant. */
export function addUserRoutes(ctx: ScimApiParts, add: AddScimRoute): void {
  const shown = (base: string, user: ScimUser) =>
    userResource(user, `${base}/Users/${encodeURIComponent(user.userId)}`);

  add("GET", "/Users", async ({ directory, query, base }) => {
    const { part, filter } = listOf(query);
    const { users, total } = await listUsers(ctx.storage.lists, directory.tenantId, filter, part);
    const resources = users.map((user) => shown(base, user));
    return { body: listAnswer(resources, total, part) };
  });
  add("POST", "/Users", async ({ directory, body, base }) => {
    const user = await createUser(ctx, directory, userIn(body));
    return { status: 201, location: `${base}/Users/${user.userId}`, body: shown(base, user) };
  });
  add("GET", "/Users/:id", async ({ directory, id, base }) => {
    const user = await findUser(ctx.storage.db, directory.tenantId, id);
    if (user === null) throw notFound(`user ${id}`);
    return { body: shown(base, user) };
  });
  add("PUT", "/Users/:id", async ({ directory, id, body, base }) => {
    const said = userIn(body);
    return { body: shown(base, await changeUser(ctx, directory, id, () => said)) };
  });
  add("PATCH", "/Users/:id", async ({ directory, id, body, base }) => {
    const operations = operationsIn(body);
    const user = await changeUser(ctx, directory, id, (before) => {
      let change = {};
      for (const operation of operations) change = { ...change, ...userChangeOf(operation, { ...before, ...change }) };
      return change;
    });
    return { body: shown(base, user) };
  });
  add("DELETE", "/Users/:id", async ({ directory, id }) => {
    await deleteUser(ctx, directory, id);
    return {};
  });
}
