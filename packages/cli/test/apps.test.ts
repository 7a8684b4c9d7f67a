import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_WIDGET_SETTINGS } from "@portico/protocol/schemas";
import { answerJson, refuse, startConsole } from "./console-service.ts";
import { type DemoService, printedJson, startDemoService } from "./demo-service.ts";
import { createWorkspace } from "./portico.ts";

/** Runs a command that must succeed. */
async function done(service: DemoService, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await service.portico(args);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Runs a command that must fail, and returns its error output. */
async function failed(service: DemoService, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await service.portico(args);
  assert.deepEqual([code, stdout], [1, ""]);
  return stderr;
}

async function create(service: DemoService, name: string): Promise<string> {
  return printedJson(await service.portico(["apps", "create", "BOT", name, "--json"])).appId;
}

test("an app is created, submitted, approved and used with commands only", async () => {
  await using service = await startDemoService();
  const created = await service.portico([
    "apps",
    "create",
    "bot",
    "构建",
    "--description",
    "Tells\nof builds",
    "--json",
  ]);
  const profile = printedJson(created);
  const { appId } = profile;
  assert.deepEqual(Object.keys(profile), ["baseUrl", "appId", "credentialId", "appSecret"]);
  assert.match(created.stderr, /keep its secret now: it is not shown again/);
  assert.ok(!created.stderr.includes(profile.appSecret));
  await service.write("build.json", created.stdout);
  assert.match(await failed(service, "whoami", "--profile", "build.json"), /^refused: 400005/m);

  const scopes = await done(service, "apps", "scopes", appId, "--request", "bot.message.send,bot.message.reply");
  assert.match(scopes, /^bot\.message\.send +REQUESTED +high$/m);
  assert.match(scopes, /^bot\.profile\.read +GRANTED +low +granted to every app of its type$/m);
  const [one, other] = ["bot.message.send", "bot.message.reply"] as const;
  for (const forms of [
    ["--request", one, "--request", other],
    ["--request", one, other],
    ["--request", `${one}, ${other}`],
  ]) {
    await done(service, "apps", "scopes", appId, "--drop", one);
    assert.match(
      await done(service, "apps", "scopes", appId, ...forms),
      /^bot\.message\.send +REQUESTED/m,
      forms.join(" "),
    );
  }
  assert.match(
    await done(service, "apps", "scopes", appId, "--drop", "bot.message.reply"),
    /^bot\.message\.reply +NONE/m,
  );
  assert.equal(
    await done(service, "apps", "submit", appId, "--note", "please"),
    `submitted; ${appId} is IN_REVIEW and asks for bot.message.send\n`,
  );
  assert.match(
    await done(service, "apps", "--status", "IN_REVIEW"),
    new RegExp(`^${appId} +BOT +IN_REVIEW +PENDING +t_demo +构建$`, "m"),
  );

  const reviews = await done(service, "reviews");
  assert.match(
    reviews,
    new RegExp(`^${appId} {2}BOT {2}IN_REVIEW\n {2}name +构建\n {2}description +Tells of builds\n`, "m"),
  );
  assert.match(reviews, /^ {2}asks for +bot\.message\.send \(high risk\)\n {2}note +please$/m);
  assert.equal(
    await done(service, "approve", appId, "--scopes", "bot.message.send", "--comment", "Welcome"),
    `approved; ${appId} is ACTIVE\n`,
  );
  assert.match(await done(service, "whoami", "--profile", "build.json"), /^scopes +.*bot\.message\.send/m);
  const shown = await done(service, "apps", "show", appId);
  for (const line of [
    /^status +ACTIVE$/m,
    /^ {2}state +APPROVED$/m,
    /^ {2}comment +Welcome$/m,
    /^ {2}calls a minute +6000 \(the default\)$/m,
  ]) {
    assert.match(shown, line);
  }
  assert.match(shown, new RegExp(`^ {2}…${profile.credentialId.slice(-4)} +CURRENT +`, "m"));
  assert.match(await done(service, "reviews", "--state", "APPROVED"), /^ {2}reviewed +APPROVED .* by dev_/m);
  assert.equal(await done(service, "subscriptions", appId), "no subscriptions\n");
});

test("an app is withdrawn, rejected with a comment that its owner sees, and submitted again", async () => {
  await using service = await startDemoService();
  const appId = await create(service, "Build bot");
  await done(service, "apps", "submit", appId);
  assert.match(
    await failed(service, "apps", "submit", appId),
    /^refused: 409 Conflict: 应用正在审核中\nThe application is waiting for review already\.\n.*`portico apps show APP_ID`/,
  );
  assert.equal(await done(service, "apps", "submit", appId, "--withdraw"), `withdrawn; ${appId} is UNPUBLISHED\n`);
  assert.match(await failed(service, "approve", appId), /^refused: 409 .*\n.*\n.*`portico reviews` lists what waits/);
  await done(service, "apps", "submit", appId);
  assert.equal(
    await done(service, "reject", appId, "--comment", "What is it for?"),
    `rejected; ${appId} is UNPUBLISHED\n`,
  );
  assert.match(
    await done(service, "apps", "show", appId),
    /^ {2}state +REJECTED$[\s\S]*^ {2}comment +What is it for\?$/m,
  );
  await done(service, "apps", "submit", appId);
  const asked = ["approve", appId, "--scopes", "bot.message.send"];
  assert.match(await failed(service, ...asked), /^refused: 409 Conflict: 申请的Scope已发生变化/, "it asks for none");
});

test("a credential is rotated: the old one works until the displayed time, or until it is revoked", async () => {
  await using service = await startDemoService();
  const rotated = await service.portico(["rotate", "app_demo_bot", "--json"]);
  const { appSecret } = printedJson(rotated);
  assert.ok(!rotated.stderr.includes(appSecret));
  const until = /^The old credential that ends in _bot works until (\S+)\.$/m.exec(rotated.stderr)?.[1] ?? "";
  assert.ok(Math.abs(Date.parse(until) - Date.now() - 86_400_000) < 60_000, rotated.stderr);
  await service.write("new.json", rotated.stdout);
  await done(service, "whoami");
  await done(service, "whoami", "--profile", "new.json");

  const remaining = await done(service, "rotate", "app_demo_bot", "--revoke-old");
  assert.match(remaining, /^old credentials no longer work; what remains:\ncredential .*\n….{4} +CURRENT .*\n$/);
  const refused = await failed(service, "whoami");
  assert.match(refused, /^refused: 400001/);
  const reqNo = /^`portico requests (\w+)` tells why\.$/m.exec(refused)?.[1] ?? "";
  assert.match(await done(service, "requests", reqNo), /^refused by +the check of the credential$/m);
  await done(service, "whoami", "--profile", "new.json");
  const json = JSON.parse(await done(service, "rotate", "app_demo_bot", "--revoke-old", "--json"));
  assert.deepEqual([json.revoked, json.credentials[0].status, json.credentials.length], [false, "CURRENT", 1]);
  assert.match(
    await done(service, "rotate", "app_demo_bot", "--revoke-old"),
    /^no old credential was in its grace: nothing to end; what there is:\ncredential .*\n….{4} +CURRENT .*\n$/,
  );
});

test("a caller without permission is told who has it", async () => {
  await using service = await startDemoService();
  const { developers } = JSON.parse(await service.read("data/demo.json")).provision;
  const operator = ["--phone", developers[1].phone];
  const notOwner =
    /^refused: 403 Forbidden: .*\n.*\nOnly the owner of an app may do this: log in as that developer\.$/m;
  assert.match(await failed(service, "rotate", "app_demo_bot", ...operator), notOwner);
  assert.match(await failed(service, "apps", "submit", "app_demo_bot", ...operator), notOwner);
  assert.match(
    await failed(service, "subscribe", "app_demo_bot", "card.interaction", "https://a.example", ...operator),
    /^refused: 403/,
  );
  assert.equal(await done(service, "subscriptions", "app_demo_bot", ...operator), "no subscriptions\n");
  const notOperator = /^refused: 403 Forbidden: .*\n.*\nOnly an operator of the platform may do this: sign in as one/;
  for (const command of [["reviews"], ["approve", "app_demo_bot"], ["reject", "app_demo_bot", "--comment", "no"]]) {
    assert.match(await failed(service, ...command, "--phone", developers[0].phone), notOperator);
  }
  assert.match(
    await failed(service, "apps", "show", "app_none"),
    /^refused: 404 .*\n.*\nCheck the app's id, and that this/,
  );
  assert.match(await failed(service, "apps", "--tenant", "t_other"), /^refused: 403 Forbidden: 无权访问该租户/);
  assert.match(
    await failed(service, "apps", "create", "BOT", "x", "--tenant", "t_other"),
    /\nName a tenant that this developer works for/,
  );
  assert.match(
    await failed(service, "apps", "scopes", "app_demo_bot", "--request", "customer.message.send"),
    /\nOnly the owner asks for scopes, and only for those of the app's type/,
  );
});

test("answers of the service cannot control the terminal", async () => {
  await using workspace = await createWorkspace();
  const hostile = "a\u001b[2J\nb\u202e";
  const review = {
    state: hostile,
    note: hostile,
    scopes: [hostile],
    submittedAt: 1,
    reviewedAt: 2,
    comment: hostile,
  };
  const app = {
    appId: hostile,
    type: hostile,
    tenantId: hostile,
    ownerId: hostile,
    status: hostile,
    displayName: hostile,
    avatar: hostile,
    description: hostile,
    createdAt: 1,
    disabledReason: hostile,
    review,
  };
  const submission = {
    ...review,
    scopes: [{ scope: hostile, risk: hostile }],
    reviewedBy: hostile,
    app,
    owner: { developerId: hostile, name: hostile, phone: hostile },
    approvedAt: null,
    changes: null,
    revision: hostile,
  };
  const isDefault = { perMinute: true, perDay: true, concurrent: true };
  const detail = {
    ...app,
    allowedOrigins: [hostile],
    anonymousVisitors: false,
    widget: DEFAULT_WIDGET_SETTINGS,
    scopes: [{ scope: hostile, state: hostile, risk: hostile, defaultGranted: false }],
    quota: { perMinute: 1, perDay: 1, concurrent: 1, isDefault, usedToday: 0 },
  };
  await using console = await startConsole((response, index) => {
    const { url = "" } = console.calls()[index] ?? {};
    const page = { items: [url.includes("reviews") ? submission : app], total: 1, page: 1, pageSize: 20 };
    if (url.endsWith("/credentials")) return answerJson(response, 200, []);
    answerJson(response, 200, url.includes("/apps/") ? detail : page);
  });
  for (const args of [["apps"], ["apps", "--json"], ["reviews"], ["apps", "show", "app_1"]]) {
    const { code, stdout, stderr } = await workspace.portico([...args, ...console.options]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /a\\u001b\[2J(\\n| )b\\u202e/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    assert.doesNotMatch(stdout + stderr, /[\u001b\u202e]/);
  }
});

test("a new secret is printed even when the expiry of the old one cannot be read", async () => {
  await using workspace = await createWorkspace();
  const pair = { credentialId: "cred_new", appSecret: "s3cr3t", createdAt: 1 };
  await using console = await startConsole((response, index) =>
    index === 0 ? answerJson(response, 200, pair) : refuse(response, 503, "Service Unavailable", ""),
  );
  const { code, stdout } = await workspace.portico(["rotate", "app_1", ...console.options]);
  assert.equal(code, 1);
  assert.match(stdout, /^credentialId +cred_new\nappSecret +s3cr3t$/m);
});
