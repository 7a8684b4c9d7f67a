import assert from "node:assert/strict";
import type { ReviewChange } from "@portico/protocol";
import { create, operatedAcme, operator } from "./support/app-life.ts";
import { assertConsoleRefused, ConsoleClient } from "./support/console.ts";
import { CALLBACK_NETWORK } from "./support/console-routes.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

interface Review {
  approvedAt: number | null;
  changes: ReviewChange[] | null;
  revision: string;
  app: { appId: string };
}

onBothEngines("operator: what a review is about", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(), { PORTICO_WEBHOOK_ALLOW_NETWORKS: CALLBACK_NETWORK });
  const people = async () =>
    [await ConsoleClient.logIn(world()), await ConsoleClient.logIn(world(), operator)] as const;
  const reviewOf = async (reviewer: ConsoleClient, appId: string, state = "PENDING"): Promise<Review> => {
    const { items } = await reviewer.ok("GET", `operator/reviews?state=${state}&pageSize=100`);
    const found = items.find(({ app }: Review) => app.appId === appId);
    assert.ok(found, `a review of ${appId}`);
    return found;
  };
  const fieldsOf = ({ changes }: Review) =>
    Object.fromEntries((changes ?? []).map(({ field, before, after }) => [field, { before, after }]));

  test("of an application that was never approved, all that it has is new", async () => {
    const [client, reviewer] = await people();
    const { appId } = await create(client, { displayName: "First", description: "It greets." });
    await client.ok("POST", `apps/${appId}/scopes`, { scopes: ["bot.message.send"] });
    await client.ok("POST", `apps/${appId}/submit`);
    const review = await reviewOf(reviewer, appId);
    assert.equal(review.approvedAt, null);
    const { displayName, description, scopes, ...others } = fieldsOf(review);
    assert.deepEqual(displayName, { before: [], after: ["First"] });
    assert.deepEqual(description, { before: [], after: ["It greets."] });
    assert.deepEqual(scopes?.before, []);
    assert.ok(scopes.after.includes("bot.message.send"));
    assert.deepEqual(others, {});
  });

  test("of an application for customer service, its sites and whether visitors need a name belong to it", async () => {
    const [client, reviewer] = await people();
    const { appId } = await create(client, { type: "CUSTOMER_SERVICE" });
    await client.ok("PATCH", `apps/${appId}`, { allowedOrigins: ["https://a.example"], anonymousVisitors: true });
    await client.ok("POST", `apps/${appId}/submit`);
    const { allowedOrigins, anonymousVisitors } = fieldsOf(await reviewOf(reviewer, appId));
    assert.deepEqual(allowedOrigins, { before: [], after: ["https://a.example"] });
    assert.deepEqual(anonymousVisitors, { before: [], after: ["true"] });
  });

  test("of an application that was approved, only what is other than it was then", async () => {
    const [client, reviewer] = await people();
    const { appId } = await create(client, { displayName: "Before", description: "It stays." });
    await client.ok("POST", `apps/${appId}/submit`);
    await reviewer.ok("POST", `operator/reviews/${appId}/approve`);
    const approvedAt = world().clock.now();
    world().clock.turn(1_000);
    const callbackUrl = "https://127.0.0.1:9/hook";
    await client.ok("PATCH", `apps/${appId}`, { displayName: "After" });
    await client.ok("POST", `apps/${appId}/scopes`, { scopes: ["event.bot.message"], note: "to listen" });
    await client.ok("PUT", `apps/${appId}/subscriptions/im.message.receive_v1`, { callbackUrl });
    const review = await reviewOf(reviewer, appId);
    assert.equal(review.approvedAt, approvedAt);
    const { scopes, ...others } = fieldsOf(review);
    assert.deepEqual(others, {
      displayName: { before: ["Before"], after: ["After"] },
      callbacks: { before: [], after: [`im.message.receive_v1 ${callbackUrl}`] },
    });
    assert.deepEqual(
      scopes?.after.filter((scope) => !scopes.before.includes(scope)),
      ["event.bot.message"],
    );
    await reviewer.ok("POST", `operator/reviews/${appId}/approve`, { revision: review.revision });
    const decided = await reviewOf(reviewer, appId, "APPROVED");
    assert.deepEqual([decided.changes, decided.revision], [null, ""]);
  });

  test("an approval of what the application is no longer is refused, and decides nothing", async () => {
    const [client, reviewer] = await people();
    const { appId } = await create(client, { displayName: "Harmless" });
    await client.ok("POST", `apps/${appId}/submit`);
    const { revision } = await reviewOf(reviewer, appId);
    await client.ok("PATCH", `apps/${appId}`, { displayName: "Bank" });
    assertConsoleRefused(await reviewer.call("POST", `operator/reviews/${appId}/approve`, { revision }), 409);
    const seen = await reviewOf(reviewer, appId);
    assert.notEqual(seen.revision, revision);
    const { status } = await reviewer.ok("POST", `operator/reviews/${appId}/approve`, { revision: seen.revision });
    assert.equal(status, "ACTIVE");
  });

  test("a rejection of what the application is no longer is refused, and decides nothing", async () => {
    const [client, reviewer] = await people();
    const { appId } = await create(client, { displayName: "Spam" });
    await client.ok("POST", `apps/${appId}/submit`);
    const { revision } = await reviewOf(reviewer, appId);
    await client.ok("PATCH", `apps/${appId}`, { displayName: "Mended" });
    const reject = (seen: string) =>
      reviewer.call("POST", `operator/reviews/${appId}/reject`, { comment: "No spam.", revision: seen });
    assertConsoleRefused(await reject(revision), 409);
    const { revision: seen } = await reviewOf(reviewer, appId);
    assert.equal((await reject(seen)).status, 200);
    assert.equal((await reviewOf(reviewer, appId, "REJECTED")).revision, "");
  });

  test("of several that wait, each is judged by its own", async () => {
    const [client, reviewer] = await people();
    const apps = [];
    for (const name of ["one", "two"]) {
      const { appId } = await create(client, { type: "CUSTOMER_SERVICE", displayName: name });
      await client.ok("PATCH", `apps/${appId}`, { allowedOrigins: [`https://b.${name}`, `https://a.${name}`] });
      await client.ok("POST", `apps/${appId}/submit`);
      apps.push({ appId, name });
    }
    for (const { appId, name } of apps) {
      const { displayName, allowedOrigins } = fieldsOf(await reviewOf(reviewer, appId));
      assert.deepEqual(displayName?.after, [name]);
      assert.deepEqual(allowedOrigins?.after, [`https://a.${name}`, `https://b.${name}`]);
    }
  });

  test("of an application that was approved before approvals were recorded, changes are not known", async () => {
    const [client, reviewer] = await people();
    const { appId } = await create(client);
    await client.ok("POST", `apps/${appId}/submit`);
    await reviewer.ok("POST", `operator/reviews/${appId}/approve`);
    await world().portico.ctx.storage.write(async (tx) => {
      await tx.updateTable("app_reviews").set({ approved: null }).where("app_id", "=", appId).execute();
    });
    await client.ok("POST", `apps/${appId}/scopes`, { scopes: ["bot.message.send"] });
    const { approvedAt, changes } = await reviewOf(reviewer, appId);
    assert.deepEqual([typeof approvedAt, changes], ["number", null]);
  });
});
