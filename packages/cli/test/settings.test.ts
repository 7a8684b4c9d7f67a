import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, CREDENTIAL, type Service, startService } from "../../sdk/test/service.ts";
import { createWorkspace } from "./portico.ts";

const APP = {
  appId: "app_demo",
  type: "BOT",
  status: "ACTIVE",
  displayName: "CI",
  avatar: "",
  scopes: ["bot.installation.read", "bot.message.send"],
};

const serviceWithApp = () => startService((response) => answer(response, 200, "000000", { items: [APP] }));
const demoOf = (service: Service) => JSON.stringify({ cli: { ...CREDENTIAL, baseUrl: service.baseUrl } });

test("whoami shows the app, its scopes and the service, with the demo bot by default", async () => {
  await using workspace = await createWorkspace();
  await using service = await serviceWithApp();
  await workspace.write("data/demo.json", demoOf(service));
  const { code, stdout, stderr } = await workspace.portico(["whoami"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(
    stdout,
    `app      app_demo
type     BOT
status   ACTIVE
name     CI
scopes   bot.installation.read, bot.message.send
service  ${service.baseUrl}
`,
  );
  assert.equal(service.requests[0]?.signatureMatches, true);
});

test("a profile takes precedence over the demo bot, and the two are not mixed", async () => {
  await using workspace = await createWorkspace();
  await using service = await serviceWithApp();
  await workspace.write("data/demo.json", demoOf(service));
  const { appSecret, ...withoutSecret } = CREDENTIAL;
  await workspace.write("profile.json", JSON.stringify({ ...withoutSecret, appId: "app_other" }));
  const lacking = await workspace.portico(["whoami", "--profile", "profile.json"]);
  assert.equal(lacking.code, 2);
  assert.match(lacking.stderr, /no --app-secret-file:/);

  const profile = { ...CREDENTIAL, appId: "app_other", baseUrl: service.baseUrl };
  await workspace.write("profile.json", JSON.stringify(profile));
  await workspace.portico(["whoami", "--profile", "profile.json"]);
  assert.equal(service.requests.length, 1);
  assert.equal(service.requests[0]?.headers["x-open-app-id"], "app_other");
});

test("options take precedence over the profile and the demo bot", async () => {
  await using workspace = await createWorkspace();
  await using service = await serviceWithApp();
  await workspace.write("data/demo.json", demoOf(service));
  const profile = { ...CREDENTIAL, appId: "app_other", appSecret: "other", baseUrl: "http://127.0.0.1:9" };
  await workspace.write("profile.json", JSON.stringify(profile));
  await workspace.write("secret", `${CREDENTIAL.appSecret}\n`);
  const options = ["--base-url", service.baseUrl, "--app-id", CREDENTIAL.appId, "--app-secret-file", "secret"];
  const { code } = await workspace.portico(["whoami", "--profile", "profile.json", ...options]);
  assert.equal(code, 0);
  assert.equal(service.requests[0]?.signatureMatches, true);

  await workspace.portico(["whoami", "--app-id", "app_third"]);
  assert.equal(service.requests[1]?.headers["x-open-app-id"], "app_third");
});

test("a damaged demo file is named", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("data/demo.json", "{");
  const { code, stderr } = await workspace.portico(["whoami"]);
  assert.equal(code, 2);
  assert.match(stderr, /data\/demo\.json is not valid JSON/);
});
