import assert from "node:assert/strict";
import { MemberTokens } from "../src/domain/accounts/member-tokens.ts";
import { connectDirectly, sourceOf } from "../src/platform/storage/connection.ts";
import { acme, alice, bob, botApp } from "./support/acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

onBothEngines("members' access tokens", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const signIn = async (account = alice) => (await MemberClient.signIn(world(), account)).token;
  /** The tokens as a process knows them that has just started, and the number of its look-ups. */
  const fresh = () => {
    const { db } = world().portico.ctx.storage;
    const source = sourceOf(db);
    assert.ok(source !== undefined);
    let lookUps = 0;
    const spy = db.withPlugin({ transformQuery: ({ node }) => node, transformResult: async ({ result }) => result });
    connectDirectly(spy, {
      statement<Row>(text: string) {
        const statement = source.statement<Row>(text);
        return {
          ...statement,
          get: (parameters: unknown[]) => {
            lookUps++;
            return statement.get(parameters);
          },
        };
      },
    });
    return { tokens: new MemberTokens(spy, world().clock, () => {}), lookUps: () => lookUps };
  };
  const endAll = (userId: string) =>
    world().portico.ctx.storage.write((tx) => tx.deleteFrom("member_tokens").where("user_id", "=", userId).execute());

  test("calls of less than a second are one look-up, whether they come together or one after another", async () => {
    const { tokens, lookUps } = fresh();
    const token = await signIn();
    const members = await Promise.all(Array.from({ length: 5 }, () => tokens.memberOf(token)));
    for (const member of members) assert.equal(member?.userId, "u_alice");
    world().clock.turn(799);
    assert.equal((await tokens.memberOf(token))?.userId, "u_alice");
    assert.equal(lookUps(), 1);
    world().clock.turn(1);
    assert.equal((await tokens.memberOf(token))?.userId, "u_alice");
    assert.equal(lookUps(), 2);
  });

  test("a token that has ended is unknown within a second, also where nobody was told", async () => {
    const { tokens } = fresh();
    const token = await signIn();
    assert.equal((await tokens.memberOf(token))?.userId, "u_alice");
    await endAll("u_alice");
    world().clock.turn(800);
    assert.equal(await tokens.memberOf(token), null);
  });

  test("a token that has ended is unknown at once where it is told, even while it is looked up", async () => {
    const { tokens } = fresh();
    const [token, other] = [await signIn(), await signIn(bob)];
    assert.equal((await tokens.memberOf(other))?.userId, "u_bob");
    const early = tokens.memberOf(token);
    const told = early.then(async () => {
      await endAll("u_alice");
      tokens.forget("u_alice");
    });
    await told;
    assert.equal(await tokens.memberOf(token), null);

    const again = await signIn();
    const looking = tokens.memberOf(again);
    tokens.forget("u_alice");
    await looking;
    await endAll("u_alice");
    assert.equal(await tokens.memberOf(again), null, "what was looked up before the end is not kept");
    assert.equal((await tokens.memberOf(other))?.userId, "u_bob");
  });

  test("a token that expires is refused at that moment, although it is known", async () => {
    const { tokens } = fresh();
    const token = await signIn();
    const expiresAt = world().clock.now() + 500;
    const { storage } = world().portico.ctx;
    await storage.write((tx) =>
      tx.updateTable("member_tokens").set({ expires_at: expiresAt }).where("user_id", "=", "u_alice").execute(),
    );
    world().clock.turn(499);
    assert.equal((await tokens.memberOf(token))?.userId, "u_alice");
    world().clock.turn(1);
    assert.equal(await tokens.memberOf(token), null);
  });

  test("invented tokens are not kept, and may be looked up again", async () => {
    const { tokens, lookUps } = fresh();
    for (let n = 0; n < 2; n++) assert.equal(await tokens.memberOf("invented"), null);
    assert.equal(await tokens.memberOf("not a token"), null);
    assert.equal(lookUps(), 2);
  });
});
