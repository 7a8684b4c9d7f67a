import assert from "node:assert/strict";
import { test } from "node:test";
import { printedJson } from "./demo-service.ts";
import { createWorkspace } from "./portico.ts";
import { startWebhookWorld } from "./webhook-world.ts";

const APP = "app_demo_bot";
const TYPE = "im.message.receive_v1";

test("--json prints what the service answers, with the secrets as fields, and failures after it", async () => {
  await using world = await startWebhookWorld();
  const { service, url } = world;
  const json = async (...args: string[]) => printedJson(await service.portico([...args, "--json"]));

  const { secret, ...made } = await json("subscribe", APP, TYPE, url);
  assert.deepEqual(made, { eventType: TYPE, transport: "WEBHOOK" });
  assert.match(secret, /^\S{16,}$/);
  assert.deepEqual(await json("subscribe", APP, TYPE, url, "--secret-file", "secret"), made);
  assert.notEqual((await service.read("secret")).trim(), secret);
  assert.equal((await json("verify", APP, TYPE)).value, true);
  await json("subscribe", APP, TYPE, "https://127.0.0.1:1/hook");
  const failed = await service.portico(["verify", APP, TYPE, "--json"]);
  assert.deepEqual([failed.code, JSON.parse(failed.stdout).value], [1, false]);
  assert.match(failed.stderr, /no 2xx/);

  const said = await json("say", `bot:${APP}`, "hello");
  const { items } = await json("read", `bot:${APP}`);
  assert.deepEqual(items.at(-1).content.text, "hello");
  assert.equal(items.at(-1).messageId, said.messageId);
  const groups = await json("installations", "--type", "GROUP");
  assert.deepEqual([groups[0].targetType, groups[0].targetId], ["GROUP", "g_demo"]);
  assert.deepEqual(await json("installations", "--status", "UNINSTALLED"), []);

  const withdrawn = await service.portico(["apps", "submit", APP, "--withdraw", "--json"]);
  assert.deepEqual([withdrawn.code, withdrawn.stdout], [1, ""]);
  const { appId } = await json("apps", "create", "BOT", "Build bot");
  assert.equal((await json("apps", "submit", appId)).status, "IN_REVIEW");
  assert.equal((await json("reject", appId, "--comment", "What for?")).status, "UNPUBLISHED");
  assert.equal((await json("apps", "submit", appId)).status, "IN_REVIEW");
  assert.equal((await json("approve", appId)).status, "ACTIVE");
});

test("login, whoami and logout say with --json who is signed in, and where it could not be ended", async () => {
  await using world = await startWebhookWorld();
  const { service } = world;
  const json = async (...args: string[]) => printedJson(await service.portico([...args, "--json"]));
  const login = await json("login", "--as", "dev");
  const { baseUrl, developerId } = login;
  assert.deepEqual(login, { name: "dev", baseUrl, developerId, developerName: login.developerName });
  assert.deepEqual(await json("login"), { ...login, name: null });

  const { apps, developer } = await json("whoami");
  assert.deepEqual([apps[0].appId, apps[0].baseUrl], [APP, baseUrl]);
  assert.deepEqual([developer.developerId, developer.name], [developerId, login.developerName]);

  const gone = { baseUrl: "http://127.0.0.1:9", developerId, refreshToken: "none" };
  await service.write("config/portico/logins/gone.json", JSON.stringify(gone));
  const ended = await service.portico(["logout", "--all", "--json"]);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /127\.0\.0\.1:9 could not be told/);
  assert.deepEqual(JSON.parse(ended.stdout), {
    signedOut: [
      { name: null, baseUrl },
      { name: "dev", baseUrl },
    ],
    unreachable: [{ name: "gone", baseUrl: gone.baseUrl }],
  });
  assert.deepEqual(await json("logout"), { signedOut: [], unreachable: [] });
});

test("provision and sign print what they have counted and computed, with --json", async () => {
  await using workspace = await createWorkspace();
  const json = async (...args: string[]) => printedJson(await workspace.portico([...args, "--json"]));
  await workspace.write("world.json", JSON.stringify({ tenants: [{ id: "t_1", name: "One" }] }));
  const shown = await json("provision", "world.json", "--dry-run");
  assert.deepEqual([shown.dryRun, shown.entities.tenants, shown.skipped], [true, 1, []]);
  assert.equal(shown.changes[0].entity, "tenant:t_1");
  const { dryRun, applied, changes } = await json("provision", "world.json");
  assert.deepEqual([dryRun, applied, changes], [false, shown.applied, undefined]);

  const request = ["GET", "/api?b=2&a=1", "--app-id", "app_1", "--credential-id", "cred_1", "--app-secret", "s3cr3t"];
  const moment = ["--timestamp", "1", "--nonce", "n"];
  const { headers } = await json("sign", ...request, ...moment);
  const steps = await json("sign", ...request, ...moment, "--explain");
  assert.deepEqual([steps.headers, steps.canonicalQuery], [headers, "a=1&b=2"]);
  assert.ok(Object.values(headers).includes(steps.signature));
  assert.doesNotMatch(JSON.stringify(steps), /s3cr3t/);
});
