import assert from "node:assert/strict";
import { operatedAcme, operator } from "./support/app-life.ts";
import { ConsoleClient } from "./support/console.ts";
import { customerApp } from "./support/customer-acme.ts";
import { type Engine, onBothEngines } from "./support/engines.ts";
import { erasureUntil, memberPath } from "./support/erased-member.ts";
import { apply } from "./support/provisioning.ts";
import { suiteWorld } from "./support/world.ts";

const DESK_APP = "app_desk";

/** A file that names these in a group, at a desk, and as users of a bot. */
function fileNaming(...accounts: string[]): ReturnType<typeof operatedAcme> {
  const file = operatedAcme(
    customerApp(DESK_APP, {
      agents: accounts,
      installations: accounts.map((targetId) => ({ targetType: "USER" as const, targetId })),
    }),
  );
  return { ...file, groups: [{ id: "g_team", tenant: "t_acme", name: "Team", members: accounts }] };
}

onBothEngines("provisioning: erased members whom the file names", (engine: Engine, test) => {
  const world = suiteWorld(engine, operatedAcme(customerApp(DESK_APP)));

  let joined = 0;
  async function join(username: string): Promise<string> {
    const inAcme = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    const member = {
      userId: `u_joined_${++joined}`,
      username,
      name: username,
      password: "a long one 77",
    };
    await inAcme.ok("POST", "operator/members", member);
    return member.userId;
  }
  async function erase(userId: string): Promise<void> {
    const client = await ConsoleClient.logIn(world(), operator);
    await client.ok("POST", `${memberPath(userId)}/erase`);
    // Then no transaction is left that was under way when the member was shut out.
    world().clock.turn(16_000);
    await erasureUntil(client, userId);
  }
  /** Where the member is, of the places that the file names. */
  async function placesOf(userId: string): Promise<string[]> {
    const { db } = world().portico.ctx.storage;
    const isIn = {
      group: db.selectFrom("group_members").select("user_id").where("user_id", "=", userId),
      desk: db.selectFrom("app_agents").select("user_id").where("user_id", "=", userId),
      bot: db
        .selectFrom("installations")
        .select("app_id")
        .where("target_id", "=", userId)
        .where("status", "=", "ACTIVE"),
    };
    const found: string[] = [];
    for (const [place, rows] of Object.entries(isIn)) if ((await rows.execute()).length > 0) found.push(place);
    return found;
  }
  const EVERYWHERE = ["group", "desk", "bot"];

  test("by the name of one whom the file never listed: skipped on each start, also when a newcomer has the name", async () => {
    const gone = await join("mallory");
    const file = fileNaming("alice", "mallory");
    await apply(world(), file);
    assert.deepEqual(await placesOf(gone), EVERYWHERE);
    await erase(gone);
    for (const options of [{}, {}, { force: true }]) {
      const { skipped } = await apply(world(), file, options);
      assert.deepEqual(skipped.map(({ entity, item }) => `${entity} ${item}`).sort(), [
        "app:app_desk agents/mallory",
        "app:app_desk installations/mallory",
        "group:g_team members/mallory",
      ]);
    }
    const newcomer = await join("mallory");
    for (const options of [{}, { force: true }]) await apply(world(), file, options);
    assert.deepEqual([await placesOf(gone), await placesOf(newcomer)], [[], []]);
    // By the userId, the file means the newcomer.
    await apply(world(), fileNaming("alice", newcomer));
    assert.deepEqual([await placesOf(gone), await placesOf(newcomer)], [[], EVERYWHERE]);
    // Nothing says any more that the name is somebody else's.
    await apply(world(), fileNaming("alice", "mallory"));
    assert.deepEqual(await placesOf(newcomer), EVERYWHERE);
  });

  test("by the userId of one whom the file never listed: they are put back nowhere", async () => {
    const gone = await join("trudy");
    await apply(world(), fileNaming("alice", gone));
    assert.deepEqual(await placesOf(gone), EVERYWHERE);
    await erase(gone);
    for (const options of [{}, { force: true }]) await apply(world(), fileNaming("alice", gone), options);
    assert.deepEqual(await placesOf(gone), []);
  });

  test("by the name of one whom the file lists: a newcomer of that name inherits nothing", async () => {
    await apply(world(), fileNaming("alice", "bob"));
    assert.deepEqual(await placesOf("u_bob"), EVERYWHERE);
    await erase("u_bob");
    const newcomer = await join("bob");
    const file = fileNaming("alice", "bob");
    for (const options of [{}, { force: true }]) await apply(world(), file, options);
    assert.deepEqual([await placesOf("u_bob"), await placesOf(newcomer)], [[], []]);
    // Nor when the file does not list the erased one any more.
    const members = file.members?.filter(({ userId }) => userId !== "u_bob") ?? [];
    await apply(world(), { ...file, members });
    assert.deepEqual([await placesOf("u_bob"), await placesOf(newcomer)], [[], []]);
  });

  test("a name that nobody has or had is refused as ever", async () => {
    await assert.rejects(apply(world(), fileNaming("alice", "nobody")), /names an unknown member nobody of t_acme/);
  });
});
