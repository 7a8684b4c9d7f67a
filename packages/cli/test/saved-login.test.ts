import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startService } from "../../sdk/test/service.ts";
import { answerJson, DEVELOPER, developerNamed, loginAnswer, refuse, startConsole } from "./console-service.ts";
import { startDemoService } from "./demo-service.ts";
import { createWorkspace, type Workspace } from "./portico.ts";

const FILE = "config/portico/login.json";
const PAGE = { items: [], total: 0, page: 1, pageSize: 20 };

/** Saves a login as `portico login` does. */
function keep(workspace: Workspace, baseUrl: string, refreshToken = "kept_1"): Promise<string> {
  return workspace.write(FILE, JSON.stringify({ baseUrl, developerId: "dev_1", refreshToken }));
}

async function keptToken(workspace: Workspace): Promise<string> {
  return JSON.parse(await workspace.read(FILE)).refreshToken;
}

/** A console that refreshes the login with the newest refresh token. */
async function startRenewing() {
  let newest = 1;
  const service = await startService((response, index) => {
    const { url = "", headers } = service.requests[index] ?? {};
    if (!url.endsWith("/auth/refresh")) return answerJson(response, 200, PAGE);
    if (headers?.cookie !== `open_refresh_token=kept_${newest}`) return refuse(response, 401, "Unauthorized", "旧");
    newest++;
    const cookie = `open_refresh_token=kept_${newest}; HttpOnly; Secure`;
    answerJson(response, 200, loginAnswer(`tok_${newest}`), { "Set-Cookie": cookie });
  });
  return service;
}

test("later commands use the developer who has signed in, until they sign out", async () => {
  await using demo = await startDemoService();
  const { developers } = JSON.parse(await demo.read("data/demo.json")).provision;
  const [, operator] = developers;
  const options = ["--base-url", demo.baseUrl, "--phone", operator.phone, "--password-file", "-"];
  const login = await demo.portico(["login", ...options], `${operator.password}\n`);
  assert.deepEqual([login.code, login.stdout], [0, `signed in at ${demo.baseUrl} as Operator\n`]);
  assert.match(login.stderr, /^The login is kept in .*\/config\/portico\/login\.json; `portico logout` ends it\.$/m);

  const path = await demo.write("elsewhere", "");
  const config = join(path, "../config/portico");
  assert.equal((await stat(join(config, "login.json"))).mode & 0o777, 0o600);
  assert.equal((await stat(config)).mode & 0o777, 0o700);
  const kept = await demo.read(FILE);
  assert.doesNotMatch(kept, new RegExp(operator.password));
  assert.deepEqual(Object.keys(JSON.parse(kept)), ["baseUrl", "developerId", "refreshToken"]);

  const whoami = await demo.portico(["whoami"]);
  for (const line of [/^app +app_demo_bot$/m, /^name +Operator$/m, /^operator +yes$/m, /^tenants +t_demo \(Demo\)$/m]) {
    assert.match(whoami.stdout, line);
  }
  assert.deepEqual(await demo.portico(["reviews"]), { code: 0, stdout: "no reviews\n", stderr: "" });
  assert.notEqual(await keptToken(demo), JSON.parse(kept).refreshToken, "each command renews it");

  const logout = await demo.portico(["logout"]);
  assert.deepEqual(logout, { code: 0, stdout: `signed out at ${demo.baseUrl}\n`, stderr: "" });
  assert.deepEqual(await readdir(config), []);
  assert.deepEqual((await demo.portico(["logout"])).stdout, "nobody was signed in\n");
  await demo.write(FILE, kept);
  const ended = await demo.portico(["reviews"]);
  assert.deepEqual([ended.code, ended.stdout], [1, ""]);
  assert.equal(
    ended.stderr,
    `portico reviews: the login that was kept has ended or expired; run \`portico login --base-url ${demo.baseUrl}\`\n`,
  );
});

test("concurrent commands share the saved login, and it continues", async () => {
  await using demo = await startDemoService();
  assert.equal((await demo.portico(["login"])).code, 0);
  const runs = await Promise.all(Array.from({ length: 5 }, () => demo.porticoAlone(["apps", "show", "app_demo_bot"])));
  for (const { code, stderr } of runs) assert.deepEqual([code, stderr], [0, ""]);
  assert.equal((await demo.portico(["apps"])).code, 0);
});

test("a wrong password saves nothing, and is reported with advice", async () => {
  await using demo = await startDemoService();
  const { code, stdout, stderr } = await demo.portico(["login", "--phone", "13800000001", "--password", "wr0ng"]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(
    stderr,
    "refused: 401 Unauthorized: 手机号或密码错误\n" +
      "The phone number, its channel or the password is wrong.\nCheck phone, password and channel.\n",
  );
  await assert.rejects(demo.read(FILE), /ENOENT/);
});

test("the demo's password is not sent to another service", async () => {
  await using workspace = await createWorkspace();
  await using console = await startConsole((response) => answerJson(response, 200, {}));
  const developers = [{ phone: "2", password: "developer's", channelId: 1 }];
  const demo = { cli: { baseUrl: "http://127.0.0.1:9" }, provision: { developers } };
  await workspace.write("data/demo.json", JSON.stringify(demo));
  const { code, stderr } = await workspace.portico(["login", "--base-url", console.baseUrl]);
  assert.equal(code, 2);
  assert.match(stderr, /no --phone, --password-file/);
  assert.equal(console.requests.length, 0);
});

test("a new login replaces the saved one, which is ended", async () => {
  await using workspace = await createWorkspace();
  await using console = await startConsole((response) => answerJson(response, 200, developerNamed("Dev")));
  await keep(workspace, console.baseUrl);
  await using cookieless = await startService((response) => answerJson(response, 200, loginAnswer("tok")));
  const missing = await workspace.portico(["login", "--base-url", cookieless.baseUrl, ...DEVELOPER]);
  assert.equal(missing.code, 1, "without a cookie there is no login to keep");
  assert.match(missing.stderr, /answered a login with a value that is not what the call promises/);
  assert.equal(await keptToken(workspace), "kept_1");

  await using other = await startService((response, index) => {
    const isLogin = index === 0;
    const cookie = isLogin ? { "Set-Cookie": "open_refresh_token=new_1; HttpOnly" } : {};
    answerJson(response, 200, isLogin ? loginAnswer("tok", "dev_2") : developerNamed("Eve\u001b[2J"), cookie);
  });
  const login = await workspace.portico(["login", "--base-url", other.baseUrl, ...DEVELOPER]);
  assert.deepEqual([login.code, login.stdout], [0, `signed in at ${other.baseUrl} as Eve\\u001b[2J\n`]);
  assert.equal(await keptToken(workspace), "new_1");
  assert.deepEqual(console.logouts(), ["open_refresh_token=kept_1"]);
});

test("a saved login is sent to its own service only, and options select another developer", async () => {
  await using workspace = await createWorkspace();
  await using console = await startConsole((response) => answerJson(response, 200, PAGE));
  await keep(workspace, "http://127.0.0.1:9");
  const elsewhere = await workspace.portico(["apps", "--base-url", console.baseUrl]);
  assert.equal(elsewhere.code, 2);
  assert.match(elsewhere.stderr, /no --phone, --password-file: sign in with `portico login`, give what is missing/);
  assert.equal(console.requests.length, 0);

  assert.equal((await workspace.portico(["apps", ...console.options])).code, 0);
  assert.deepEqual(console.logouts(), ["open_refresh_token=ref_1"]);
  assert.equal(await keptToken(workspace), "kept_1");
});

test("a command refreshes the login before its first call, and does not end it", async () => {
  await using workspace = await createWorkspace();
  await using renewing = await startRenewing();
  await keep(workspace, renewing.baseUrl);
  for (const expected of ["kept_2", "kept_3"]) {
    assert.deepEqual(await workspace.portico(["apps"]), { code: 0, stdout: "no apps\n", stderr: "" });
    assert.equal(await keptToken(workspace), expected);
  }
  const calls = renewing.requests.map(({ method, url }) => `${method} ${url.replace("/api/open/console/v1/", "")}`);
  assert.deepEqual(calls, ["POST auth/refresh", "GET apps", "POST auth/refresh", "GET apps"]);
  assert.equal(renewing.requests[3]?.headers.authorization, "Bearer tok_3");
});

test("Ctrl-C during a refresh ends the command after the new token is saved", async () => {
  await using workspace = await createWorkspace();
  const { promise, resolve } = Promise.withResolvers<() => void>();
  await using slow = await startService((response) => {
    resolve(() =>
      answerJson(response, 200, loginAnswer("tok"), { "Set-Cookie": "open_refresh_token=kept_2; HttpOnly" }),
    );
  });
  await keep(workspace, slow.baseUrl);
  const command = workspace.start(["apps"]);
  const answer = await promise;
  command.kill("SIGINT");
  answer();
  await once(command, "close");
  assert.equal(command.signalCode, "SIGINT");
  assert.equal(await keptToken(workspace), "kept_2");
  assert.equal(slow.requests.length, 1);
});

test("when the service fails to refresh the login, the saved one does not change", async () => {
  await using workspace = await createWorkspace();
  await using failing = await startService((response) => refuse(response, 503, "Service Unavailable", ""));
  await keep(workspace, failing.baseUrl);
  const { code, stderr } = await workspace.portico(["apps"]);
  assert.equal(code, 1);
  assert.match(stderr, /^refused: 503 Service Unavailable$/m);
  assert.equal(await keptToken(workspace), "kept_1");
});

test("signing out while the service is unreachable deletes the saved login and says what remains", async () => {
  await using workspace = await createWorkspace();
  await keep(workspace, "http://127.0.0.1:9");
  const { code, stdout, stderr } = await workspace.portico(["logout"]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^portico logout: signed out here, but http:\/\/127\.0\.0\.1:9 could not be told/);
  await assert.rejects(workspace.read(FILE), /ENOENT/);
});

test("a damaged login file is named, and can be replaced and deleted", async () => {
  await using workspace = await createWorkspace();
  for (const content of [
    "{",
    "{}",
    '{"baseUrl": "http://localhost:9", "developerId": "dev_1", "refreshToken": "a\\r\\nX: y"}',
  ]) {
    await workspace.write(FILE, content);
    const { code, stderr } = await workspace.portico(["apps"]);
    assert.equal(code, 1);
    assert.match(stderr, /login\.json is damaged; remove it, then run `portico login`$/m);
  }
  assert.equal((await workspace.portico(["logout"])).code, 0);
  await assert.rejects(workspace.read(FILE), /ENOENT/);
});

test("a login that cannot be saved is ended", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("config", "a file in the way");
  await using console = await startService((response, index) =>
    answerJson(
      response,
      200,
      index === 0 ? loginAnswer("tok") : {},
      index === 0 ? { "Set-Cookie": "open_refresh_token=new_1; HttpOnly" } : {},
    ),
  );
  const { code, stderr } = await workspace.portico(["login", "--base-url", console.baseUrl, ...DEVELOPER]);
  assert.equal(code, 1);
  assert.match(stderr, /^portico login: cannot make .*config\/portico: ENOTDIR$/m);
  assert.equal(console.requests[1]?.url, "/api/open/console/v1/auth/logout");
});

test("a password typed at the prompt is not shown", { skip: process.platform !== "linux" }, async () => {
  await using workspace = await createWorkspace();
  await using console = await startConsole((response) => answerJson(response, 200, {}));
  const { output, asked } = await workspace.atTerminal(
    ["login", "--base-url", console.baseUrl, "--phone", "13800000001"],
    "Password: ",
    "s3cr3t typed\r",
  );
  assert.equal(asked, true);
  assert.doesNotMatch(output, /s3cr3t/);
  assert.deepEqual(JSON.parse(console.requests[0]?.body ?? "").password, "s3cr3t typed");
});
