import assert from "node:assert/strict";
import { DEFAULT_WIDGET_SETTINGS } from "@portico/protocol/schemas";
import {
  atOnce,
  callWith,
  create,
  createActive,
  operatedAcme,
  operator,
  otherOperator,
  scopeStates,
  signIns,
  statuses,
} from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { auditRowsOf } from "./support/audit.ts";
import { assertConsoleRefused, type ConsoleClient, ownedApp, stranger } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const REVIEW = ["state", "note", "scopes", "submittedAt", "reviewedAt", "comment"];
const NOT_PENDING = "应用没有待审核的申请";

onBothEngines("console: an application's review", (engine, test) => {
  const world = suiteWorld(
    engine,
    operatedAcme(
      ownedApp("app_blank", { status: "UNPUBLISHED", profile: { displayName: " " } }),
      ownedApp("app_given", { status: "IN_REVIEW" }),
      ownedApp("app_disabled", { status: "DISABLED" }),
      ownedApp("app_ownerless", { status: "IN_REVIEW", owner: undefined }),
    ),
  );
  const signIn = signIns(world);
  const admin = () => signIn(operator);
  const active = async () => createActive(await signIn(), await admin());
  /** In the distributed service, a second process; the embedded one has only one. */
  const startSecond = async () => {
    if (engine.name === "postgres" && world().all.length === 1) await world().start();
  };
  const request = async (client: ConsoleClient, appId: string, ...scopes: string[]) =>
    await client.ok("POST", `apps/${appId}/scopes`, { scopes });
  const pendingOf = async (appId: string) => {
    const { items } = await (await admin()).ok("GET", "operator/reviews?pageSize=100");
    return items.filter((item: { app: { appId: string } }) => item.app.appId === appId);
  };

  test("from creation to its first call: submitted, reviewed and approved with the requested scopes", async () => {
    const [client, reviewer] = [await signIn(), await admin()];
    const app = await create(client, { displayName: "Whole cycle" });
    const { appId } = app;
    await request(client, appId, "bot.message.send", "event.bot.message");
    world().clock.turn(1_000);
    const submitted = await client.ok("POST", `apps/${appId}/submit`, { note: "for builds" });
    assert.equal(submitted.status, "IN_REVIEW");
    assert.deepEqual(Object.keys(submitted.review), REVIEW);
    assert.deepEqual(submitted.review, {
      state: "PENDING",
      note: "for builds",
      scopes: ["bot.message.send", "event.bot.message"],
      submittedAt: world().clock.now(),
      reviewedAt: null,
      comment: null,
    });
    assertRefused(await callWith(world(), app), 403, "400005");

    const [item] = await pendingOf(appId);
    assert.deepEqual(Object.keys(item), [...REVIEW, "reviewedBy", "app", "owner", "approvedAt", "changes", "revision"]);
    assert.deepEqual(item.scopes, [
      { scope: "bot.message.send", risk: "high" },
      { scope: "event.bot.message", risk: "high" },
    ]);
    assert.deepEqual([item.app.appId, item.app.displayName, item.app.status], [appId, "Whole cycle", "IN_REVIEW"]);
    const { developerId, ...owner } = item.owner;
    assert.equal(developerId, item.app.ownerId);
    assert.deepEqual(owner, { name: "Owner", phone: "138****0000" });
    assert.equal(item.reviewedBy, null);

    world().clock.turn(1_000);
    const approved = await reviewer.ok("POST", `operator/reviews/${appId}/approve`, { comment: "fine" });
    assert.equal(approved.status, "ACTIVE");
    assert.equal(approved.owner.phone, "138****0000");
    const read = await client.ok("GET", `apps/${appId}`);
    assert.equal(read.status, "ACTIVE");
    assert.deepEqual(
      [read.review.state, read.review.comment, read.review.reviewedAt],
      ["APPROVED", "fine", world().clock.now()],
    );
    const states = await scopeStates(client, appId);
    assert.deepEqual(
      [states["bot.message.send"], states["event.bot.message"], states["bot.message.reply"]],
      ["GRANTED", "GRANTED", "NONE"],
    );
    assertSuccess(await callWith(world(), app));
    assert.deepEqual(await pendingOf(appId), []);
    const decided = await reviewer.ok("GET", "operator/reviews?state=APPROVED&pageSize=1");
    assert.equal(decided.items[0].app.appId, appId);
    assert.match(decided.items[0].reviewedBy, /^dev_/);
    assert.deepEqual(
      (await auditRowsOf(world(), appId)).map(({ action }) => action),
      ["app.create", "scope.request", "app.submit", "review.approve"],
    );
  });
  test("a rejection needs a comment, and allows the application to be submitted again", async () => {
    const [client, reviewer] = [await signIn(), await admin()];
    const { appId } = await create(client);
    await request(client, appId, "bot.message.send");
    await client.ok("POST", `apps/${appId}/submit`);
    const reject = (body?: unknown) => reviewer.call("POST", `operator/reviews/${appId}/reject`, body);
    for (const wrong of [
      undefined,
      {},
      { comment: "" },
      { comment: " \n" },
      { comment: 1 },
      { comment: "x".repeat(2_001) },
    ]) {
      assertConsoleRefused(await reject(wrong), 400);
    }
    const rejected = await reject({ comment: "没有说明用途" });
    assert.deepEqual([rejected.status, rejected.json.status], [200, "UNPUBLISHED"]);
    const read = await client.ok("GET", `apps/${appId}`);
    assert.deepEqual([read.review.state, read.review.comment], ["REJECTED", "没有说明用途"]);
    assert.equal((await scopeStates(client, appId))["bot.message.send"], "REQUESTED");
    assertConsoleRefused(await reject({ comment: "again" }), 409, NOT_PENDING);
    assertConsoleRefused(await reviewer.call("POST", `operator/reviews/${appId}/approve`), 409, NOT_PENDING);

    const again = await client.ok("POST", `apps/${appId}/submit`, { note: "with a purpose" });
    assert.deepEqual([again.status, again.review.state, again.review.note], ["IN_REVIEW", "PENDING", "with a purpose"]);
    assert.deepEqual(
      (await auditRowsOf(world(), appId)).slice(2).map(({ action, after }) => [action, after.status]),
      [
        ["app.submit", "IN_REVIEW"],
        ["review.reject", "UNPUBLISHED"],
        ["app.submit", "IN_REVIEW"],
      ],
    );
  });
  test("a withdrawal ends the review, once", async () => {
    const client = await signIn();
    const { appId } = await create(client);
    assertConsoleRefused(await client.call("DELETE", `apps/${appId}/submit`), 409, NOT_PENDING);
    await client.ok("POST", `apps/${appId}/submit`);
    assertConsoleRefused(await client.call("POST", `apps/${appId}/submit`), 409, "应用正在审核中");
    const withdrawn = await client.ok("DELETE", `apps/${appId}/submit`);
    assert.deepEqual(
      [withdrawn.status, withdrawn.review.state, withdrawn.review.reviewedAt],
      ["UNPUBLISHED", "WITHDRAWN", null],
    );
    assertConsoleRefused(await client.call("DELETE", `apps/${appId}/submit`), 409, NOT_PENDING);
    assert.deepEqual(await pendingOf(appId), []);
    assert.deepEqual(
      (await auditRowsOf(world(), appId)).map(({ action }) => action),
      ["app.create", "app.submit", "app.withdraw"],
    );
  });
  test("an incomplete or disabled application cannot be submitted", async () => {
    const client = await signIn();
    assertConsoleRefused(await client.call("POST", "apps/app_blank/submit"), 400, /displayName/);
    assertConsoleRefused(await client.call("POST", "apps/app_disabled/submit"), 409, "应用已停用,不能提交审核");
    const more = await client.call("POST", "apps/app_disabled/scopes", {
      scopes: ["bot.message.send", "bot.message.reply"],
    });
    assertConsoleRefused(more, 409);
    assertConsoleRefused(await client.call("POST", "apps/app_blank/submit", { note: 7 }), 400, /note/);
    assertConsoleRefused(await client.call("POST", "apps/app_blank/submit", { note: "x".repeat(2_001) }), 400, /note/);
    assert.deepEqual(await auditRowsOf(world(), "app_blank"), []);
  });
  test("a review from a provisioning file can be decided, with an owner or without", async () => {
    const reviewer = await admin();
    assert.equal((await pendingOf("app_ownerless"))[0].owner, null);
    assert.equal((await reviewer.ok("POST", "operator/reviews/app_given/approve")).status, "ACTIVE");
    const body = { comment: "whose is it?" };
    assert.equal((await reviewer.ok("POST", "operator/reviews/app_ownerless/reject", body)).status, "UNPUBLISHED");
  });

  test("an ACTIVE application requests more scopes without losing any, and the review grants them", async () => {
    const [client, reviewer] = [await signIn(), await admin()];
    const app = await active();
    const { appId } = app;
    assertConsoleRefused(await client.call("POST", `apps/${appId}/submit`), 409, "应用已上线,没有待审核的Scope");
    await client.ok("POST", `apps/${appId}/scopes`, { scopes: ["bot.message.reply"], note: "to answer" });
    const asking = await client.ok("GET", `apps/${appId}`);
    assert.deepEqual([asking.status, asking.review.state, asking.review.note], ["ACTIVE", "PENDING", "to answer"]);
    assert.deepEqual(asking.review.scopes, ["bot.message.reply"]);
    assertSuccess(await callWith(world(), app));
    assert.equal((await scopeStates(client, appId))["bot.message.send"], "GRANTED");

    await request(client, appId, "event.bot.message");
    const [item, ...others] = await pendingOf(appId);
    assert.deepEqual(others, []);
    assert.equal(item.scopes.length, 2);
    assertConsoleRefused(await client.call("POST", `apps/${appId}/submit`), 409, "应用正在审核中");
    assert.equal((await reviewer.ok("POST", `operator/reviews/${appId}/approve`)).status, "ACTIVE");
    const states = await scopeStates(client, appId);
    assert.deepEqual([states["bot.message.reply"], states["event.bot.message"]], ["GRANTED", "GRANTED"]);
  });
  test("scopes that a review refuses are no longer requested, and the application stays ACTIVE", async () => {
    const [client, reviewer] = [await signIn(), await admin()];
    const app = await active();
    await request(client, app.appId, "bot.message.reply");
    const body = { comment: "not needed" };
    assert.equal((await reviewer.ok("POST", `operator/reviews/${app.appId}/reject`, body)).status, "ACTIVE");
    const states = await scopeStates(client, app.appId);
    assert.deepEqual([states["bot.message.reply"], states["bot.message.send"]], ["NONE", "GRANTED"]);
    assertSuccess(await callWith(world(), app));
    assert.equal((await client.ok("GET", `apps/${app.appId}`)).review.comment, "not needed");
  });
  test("an ACTIVE application's requests can be withdrawn, submitted again and dropped, which ends their review", async () => {
    const client = await signIn();
    const { appId } = await active();
    await request(client, appId, "bot.message.reply", "event.bot.message");
    const withdrawn = await client.ok("DELETE", `apps/${appId}/submit`);
    assert.deepEqual([withdrawn.status, withdrawn.review.state], ["ACTIVE", "WITHDRAWN"]);
    const again = await client.ok("POST", `apps/${appId}/submit`);
    assert.deepEqual([again.status, again.review.state, again.review.scopes.length], ["ACTIVE", "PENDING", 2]);
    await client.ok("DELETE", `apps/${appId}/scopes/bot.message.reply`);
    assert.deepEqual((await client.ok("GET", `apps/${appId}`)).review.scopes, ["event.bot.message"]);
    await client.ok("DELETE", `apps/${appId}/scopes/event.bot.message`);
    assert.equal((await client.ok("GET", `apps/${appId}`)).review.state, "WITHDRAWN");
    assert.deepEqual(await pendingOf(appId), []);
  });
  test("a reviewer grants the displayed scopes only: if they have changed, nothing is decided", async () => {
    const [client, reviewer] = [await signIn(), await admin()];
    const { appId } = await create(client);
    await client.ok("POST", `apps/${appId}/submit`);
    await request(client, appId, "bot.message.send");
    const approve = (scopes: unknown) => reviewer.call("POST", `operator/reviews/${appId}/approve`, { scopes });
    for (const seen of [[], ["bot.message.reply"], ["bot.message.send", "bot.message.reply"]]) {
      assertConsoleRefused(await approve(seen), 409, "申请的Scope已发生变化,请重新查看");
    }
    assertConsoleRefused(await approve(["bot.everything"]), 400, /scopes/);
    assert.equal((await client.ok("GET", `apps/${appId}`)).status, "IN_REVIEW");
    assert.equal((await approve(["bot.message.send"])).status, 200);
    assert.equal((await scopeStates(client, appId))["bot.message.send"], "GRANTED");
  });

  test("disabling needs a reason and ends signed calls in every process within a second; enabling restores them", async () => {
    const [client, reviewer] = [await signIn(), await admin()];
    await startSecond();
    const app = await active();
    const disable = (body?: unknown) => reviewer.call("POST", `operator/apps/${app.appId}/disable`, body);
    const enable = () => reviewer.call("POST", `operator/apps/${app.appId}/enable`);
    for (const { url } of world().all) assertSuccess(await callWith(world(), app, url));
    for (const wrong of [undefined, {}, { reason: "" }, { reason: "  " }])
      assertConsoleRefused(await disable(wrong), 400);
    assertConsoleRefused(await enable(), 409, "只有DISABLED状态的应用可以启用");

    assert.equal((await disable({ reason: "spam" })).json.status, "DISABLED");
    const reason = async () => (await client.ok("GET", `apps/${app.appId}`)).disabledReason;
    assert.equal(await reason(), "spam");
    assertRefused(await callWith(world(), app), 403, "400005");
    world().clock.turn(1_000);
    for (const { url } of world().all) assertRefused(await callWith(world(), app, url), 403, "400005");
    assertConsoleRefused(await disable({ reason: "spam" }), 409, "只有ACTIVE状态的应用可以停用");
    assertConsoleRefused(await client.call("POST", `apps/${app.appId}/submit`), 409);

    assert.equal((await enable()).json.status, "ACTIVE");
    assert.equal(await reason(), null);
    assertSuccess(await callWith(world(), app));
    world().clock.turn(1_000);
    for (const { url } of world().all) assertSuccess(await callWith(world(), app, url));
    const entries = (await auditRowsOf(world(), app.appId)).slice(-2);
    assert.deepEqual(
      entries.map(({ action, before, after }) => [action, before, after]),
      [
        ["app.disable", { status: "ACTIVE" }, { status: "DISABLED", reason: "spam" }],
        ["app.enable", { status: "DISABLED" }, { status: "ACTIVE" }],
      ],
    );
  });
  test("an unapproved application cannot be disabled, and a review does not end a disabling", async () => {
    const [client, reviewer] = [await signIn(), await admin()];
    const { appId: fresh } = await create(client);
    const disable = (appId: string) => reviewer.call("POST", `operator/apps/${appId}/disable`, { reason: "spam" });
    assertConsoleRefused(await disable(fresh), 409);
    await client.ok("POST", `apps/${fresh}/submit`);
    assertConsoleRefused(await disable(fresh), 409);

    const { appId } = await active();
    await request(client, appId, "bot.message.reply");
    assert.equal((await disable(appId)).status, 200);
    const approve = () => reviewer.call("POST", `operator/reviews/${appId}/approve`);
    assertConsoleRefused(await approve(), 409, "应用已停用,启用后才能通过审核");
    assert.equal((await scopeStates(client, appId))["bot.message.reply"], "REQUESTED");
    await reviewer.ok("POST", `operator/apps/${appId}/enable`);
    assert.equal((await approve()).status, 200);
  });

  test("20 concurrent submissions: one review, and 19 are told that it is waiting", async () => {
    await startSecond();
    const client = await signIn();
    const { appId } = await create(client);
    const answers = await atOnce(world(), 20, (url) => client.at({ url }).call("POST", `apps/${appId}/submit`));
    assert.deepEqual(statuses(answers), [200, ...Array(19).fill(409)]);
    assert.equal((await pendingOf(appId)).length, 1);
    assert.equal((await auditRowsOf(world(), appId)).filter(({ action }) => action === "app.submit").length, 1);
  });
  test("20 concurrent scope requests of an ACTIVE application: one review with all of them", async () => {
    await startSecond();
    const client = await signIn();
    const { appId } = await active();
    const scopes = ["bot.message.reply", "event.bot.message"];
    const answers = await atOnce(world(), 20, (url, index) =>
      client.at({ url }).call("POST", `apps/${appId}/scopes`, { scopes: [scopes[index % 4 < 2 ? 0 : 1]] }),
    );
    assert.deepEqual(statuses(answers), Array(20).fill(200));
    const [item, ...others] = await pendingOf(appId);
    assert.deepEqual(others, []);
    assert.deepEqual(
      item.scopes.map(({ scope }: { scope: string }) => scope),
      scopes,
    );
  });
  test("concurrent approvals and rejections by two operators: one wins, and the others have no effect", async () => {
    await startSecond();
    const client = await signIn();
    const reviewers = [await admin(), await signIn(otherOperator)];
    for (let round = 0; round < 5; round++) {
      const { appId } = await create(client);
      await request(client, appId, "bot.message.send");
      await client.ok("POST", `apps/${appId}/submit`);
      const answers = await atOnce(world(), 8, (url, index) => {
        const reviewer = reviewers[index % 2] ?? client;
        const verb = index % 4 < 2 ? "approve" : "reject";
        return reviewer.at({ url }).call("POST", `operator/reviews/${appId}/${verb}`, { comment: `by ${index}` });
      });
      assert.deepEqual(statuses(answers), [200, ...Array(7).fill(409)]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const approved = winner % 4 < 2;
      const read = await client.ok("GET", `apps/${appId}`);
      assert.deepEqual(
        [read.status, read.review.state, read.review.comment],
        [...(approved ? ["ACTIVE", "APPROVED"] : ["UNPUBLISHED", "REJECTED"]), `by ${winner}`],
      );
      assert.equal((await scopeStates(client, appId))["bot.message.send"], approved ? "GRANTED" : "REQUESTED");
      const decisions = (await auditRowsOf(world(), appId)).filter(({ action }) => action.startsWith("review."));
      assert.equal(decisions.length, 1);
    }
  });
  test("a concurrent approval and withdrawal: one wins", async () => {
    await startSecond();
    const [client, reviewer] = [await signIn(), await admin()];
    for (let round = 0; round < 5; round++) {
      const { appId } = await create(client);
      await client.ok("POST", `apps/${appId}/submit`);
      const [approved, withdrawn] = await Promise.all([
        reviewer.call("POST", `operator/reviews/${appId}/approve`),
        client.at({ url: world().all.at(-1)?.url ?? "" }).call("DELETE", `apps/${appId}/submit`),
      ]);
      assert.deepEqual(statuses([approved, withdrawn]), [200, 409]);
      const { status } = await client.ok("GET", `apps/${appId}`);
      assert.equal(status, approved.status === 200 ? "ACTIVE" : "UNPUBLISHED");
    }
  });

  test("waiting reviews are listed oldest first, decided ones newest first, in pages", async () => {
    const reviewer = await admin();
    const client = await signIn();
    for (let n = 0; n < 3; n++) {
      world().clock.turn(1);
      await client.ok("POST", `apps/${(await create(client)).appId}/submit`);
    }
    const list = (query: string) => reviewer.ok("GET", `operator/reviews?${query}`);
    const all = await list("pageSize=100");
    assert.ok(all.total >= 3);
    assert.deepEqual([all.items.length, all.page, all.pageSize], [all.total, 1, 100]);
    const times = all.items.map(({ submittedAt }: { submittedAt: number }) => submittedAt);
    assert.deepEqual(
      times,
      times.toSorted((a: number, b: number) => a - b),
    );
    assert.deepEqual((await list("state=PENDING&pageSize=2&page=2")).items, all.items.slice(2, 4));
    const rejected = (await list("state=REJECTED")).items.map(
      ({ submittedAt }: { submittedAt: number }) => submittedAt,
    );
    assert.deepEqual(
      rejected,
      rejected.toSorted((a: number, b: number) => b - a),
    );
    assertConsoleRefused(await reviewer.get("operator/reviews?state=DONE"), 400, /state/);
    assertConsoleRefused(await reviewer.get("operator/reviews?pageSize=101"), 400, /pageSize/);
  });
  test("operators see the applications of every tenant, each with its owner", async () => {
    const reviewer = await admin();
    const foreign = await signIn(stranger);
    const { appId } = await create(foreign, { tenantId: "t_other", displayName: "Foreign", type: "CUSTOMER_SERVICE" });
    const list = (query: string) => reviewer.ok("GET", `operator/apps?${query}`);
    const { items, total } = await list("tenantId=t_other&type=CUSTOMER_SERVICE&status=UNPUBLISHED&keyword=foreign");
    assert.deepEqual([total, items.length, items[0].appId], [1, 1, appId]);
    assert.deepEqual([items[0].owner.name, items[0].owner.phone], ["Stranger", "138****0002"]);
    assert.equal((await list("tenantId=t_acme&keyword=foreign")).total, 0);
    assert.equal((await list("tenantId=t_nowhere")).total, 0);
    const one = await reviewer.ok("GET", `operator/apps/${appId}`);
    const { scopes, quota, allowedOrigins, anonymousVisitors, widget, ...rest } = one;
    assert.deepEqual([allowedOrigins, anonymousVisitors, widget], [[], false, DEFAULT_WIDGET_SETTINGS]);
    assert.deepEqual(rest, items[0]);
    assert.equal(scopes.length, 8);
    assert.equal(quota.perMinute, 6_000);
  });
});
