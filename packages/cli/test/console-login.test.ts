import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../../sdk/test/service.ts";
import { ConsoleApi } from "../src/console-api.ts";
import { answerJson, DEVELOPER, loginAnswer, refuse, startConsole } from "./console-service.ts";
import { createWorkspace } from "./portico.ts";

const startSubscriptions = () => startConsole((response) => answerJson(response, 200, []));

test("a command logs in and calls with the token it receives", async () => {
  await using workspace = await createWorkspace();
  await using service = await startSubscriptions();
  const { code, stdout, stderr } = await workspace.portico(["subscriptions", "app/1", ...service.options]);
  assert.deepEqual([code, stdout, stderr], [0, "no subscriptions\n", ""]);
  const [login, call] = service.requests;
  assert.equal(`${login?.method} ${login?.url}`, "POST /api/open/console/v1/auth/login");
  assert.deepEqual(JSON.parse(login?.body ?? ""), { phone: "13800000001", password: "pa55word", channelId: 1 });
  assert.equal(login?.headers.authorization, undefined);
  assert.equal(`${call?.method} ${call?.url}`, "GET /api/open/console/v1/apps/app%2F1/subscriptions");
  assert.equal(call?.headers.authorization, "Bearer tok_1");
});

test("the demo's developer is used by default, and not its operator", async () => {
  await using workspace = await createWorkspace();
  await using service = await startSubscriptions();
  const developers = [
    { phone: "1", password: "operator's", channelId: 1, operator: true },
    { phone: "2", password: "developer's", channelId: 7, operator: false },
  ];
  await workspace.write(
    "data/demo.json",
    JSON.stringify({ cli: { baseUrl: service.baseUrl }, provision: { developers } }),
  );
  assert.equal((await workspace.portico(["subscriptions", "app_1"])).code, 0);
  assert.deepEqual(JSON.parse(service.requests[0]?.body ?? ""), { phone: "2", password: "developer's", channelId: 7 });
});

test("a profile replaces the demo's developer completely, and options take precedence over it", async () => {
  await using workspace = await createWorkspace();
  await using service = await startSubscriptions();
  const demo = { provision: { developers: [{ phone: "2", password: "developer's", channelId: 7 }] } };
  await workspace.write("data/demo.json", JSON.stringify(demo));
  await workspace.write("profile.json", JSON.stringify({ baseUrl: service.baseUrl, phone: "3" }));
  await workspace.write("password", "from a file\n");
  const lacking = await workspace.portico(["subscriptions", "app_1", "--profile", "profile.json"]);
  assert.equal(lacking.code, 2);
  assert.match(lacking.stderr, /no --password-file/);

  const options = ["--profile", "profile.json", "--password-file", "password", "--channel", "0"];
  assert.equal((await workspace.portico(["subscriptions", "app_1", ...options])).code, 0);
  assert.deepEqual(JSON.parse(service.requests[0]?.body ?? ""), { phone: "3", password: "from a file", channelId: 0 });
});

for (const [status, error, advice] of [
  [400, "Bad Request", "Correct what the message names."],
  [401, "Unauthorized", "Check phone, password and channel."],
  [403, "Forbidden", "Only the owner of an app may do this: log in as that developer."],
  [404, "Not Found", "Check the app's id, and that this developer belongs to the app's tenant."],
  [429, "Too Many Requests", "Wait a while, then try again."],
  [503, "Service Unavailable", "Try again later; if it stays, ask the operator of the service."],
  [500, "Internal Server Error", "Try again later; if it stays, ask the operator of the service."],
] as const) {
  test(`a refusal with ${status} is shown with advice, and without the password`, async () => {
    await using workspace = await createWorkspace();
    await using service = await startConsole((response) => refuse(response, status, error, "原因\u001b[1A"));
    const { code, stdout, stderr } = await workspace.portico(["subscriptions", "app_1", ...service.options]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(stderr, `refused: ${status} ${error}: 原因\\u001b[1A\n${advice}\n`);
    assert.equal(service.calls().length, 1);
    assert.deepEqual(service.logouts(), ["open_refresh_token=ref_1"], "it has logged out all the same");
  });
}

test("a command logs out at its end", async () => {
  await using workspace = await createWorkspace();
  await using service = await startSubscriptions();
  assert.equal((await workspace.portico(["subscriptions", "app_1", ...service.options])).code, 0);
  const paths = service.requests.map(({ method, url }) => `${method} ${url.replace("/api/open/console/v1/", "")}`);
  assert.deepEqual(paths, ["POST auth/login", "GET apps/app_1/subscriptions", "POST auth/logout"]);
  assert.deepEqual(service.logouts(), ["open_refresh_token=ref_1"]);
});

test("a login with an expired token is ended before the next login", async () => {
  await using service = await startConsole((response, index) =>
    index === 1 ? refuse(response, 401, "Unauthorized", "登录已过期") : answerJson(response, 200, []),
  );
  const login = { baseUrl: service.baseUrl, phone: "1", password: "2", channelId: 1 };
  {
    await using api = new ConsoleApi(login);
    const look = () => api.console.listSubscriptions({ params: { appId: "app_1" } });
    await look();
    assert.equal(api.textOf(await look()), "[]");
    assert.deepEqual(service.logouts(), ["open_refresh_token=ref_1"]);
  }
  assert.deepEqual(service.logouts(), ["open_refresh_token=ref_1", "open_refresh_token=ref_2"]);
  assert.equal(service.calls().at(-1)?.headers.authorization, "Bearer tok_2");
});

test("a failing logout does not fail the command", async () => {
  await using workspace = await createWorkspace();
  await using service = await startService((response, index) => {
    if (index === 2) return void response.destroy();
    const cookie = { "Set-Cookie": "open_refresh_token=ref_1" };
    answerJson(response, 200, index === 0 ? loginAnswer("tok_1") : [], index === 0 ? cookie : {});
  });
  const options = ["--base-url", service.baseUrl, ...DEVELOPER];
  const { code, stdout, stderr } = await workspace.portico(["subscriptions", "app_1", ...options]);
  assert.deepEqual([code, stdout, stderr], [0, "no subscriptions\n", ""]);
  assert.equal(service.requests.length, 3);
});

test("a rate-limited login says how long to wait", async () => {
  await using workspace = await createWorkspace();
  await using service = await startService((response) =>
    refuse(response, 429, "Too Many Requests", "登录失败次数过多", { "Retry-After": "17" }),
  );
  const { code, stderr } = await workspace.portico([
    "subscriptions",
    "app_1",
    "--base-url",
    service.baseUrl,
    ...DEVELOPER,
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /^Wait 17 s, then try again\.$/m);
  assert.doesNotMatch(stderr, /pa55word/);
});

test("an answer that is not the console's is distinguished from a refusal", async () => {
  await using workspace = await createWorkspace();
  for (const [status, body] of [
    [502, "<html>"],
    [404, { code: "400006" }],
    [200, "<html>"],
    [403, { status: 404, error: "Not Found" }],
  ] as const) {
    await using service = await startConsole((response) => answerJson(response, status, body));
    const { code, stderr } = await workspace.portico(["subscriptions", "app_1", ...service.options]);
    assert.equal(code, 1);
    assert.match(stderr, /^no verdict: .* with an answer that is not the console's$/m);
  }
});

test("a success without the promised value is a failure", async () => {
  await using workspace = await createWorkspace();
  await using service = await startConsole((response) => answerJson(response, 200, { items: [{}], total: 1 }));
  for (const args of [
    ["subscriptions", "app_1"],
    ["deliveries", "app_1"],
    ["deliveries", "app_1", "evt_1"],
    ["redeliver", "app_1", "evt_1", "evt_2"],
    ["verify", "app_1", "card.interaction"],
    ["subscribe", "app_1", "card.interaction", "https://a.example"],
  ]) {
    const { code, stdout, stderr } = await workspace.portico([...args, ...service.options]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /not what the call promises/);
  }
});

test("a host without a console is distinguished from an unknown app", async () => {
  await using workspace = await createWorkspace();
  const body = { timestamp: "2026-01-01T00:00:00.000Z", status: 404, error: "Not Found", path: "/" };
  await using service = await startService((response) => answerJson(response, 404, body));
  const args = ["apps", "--base-url", service.baseUrl, ...DEVELOPER];
  const { code, stderr } = await workspace.portico(args);
  assert.equal(code, 1);
  assert.match(stderr, /There is no console API at this address.*consoleUrl/);
  assert.doesNotMatch(stderr, /app's id/);
});

test("a refusal with a known errorCode is also shown in English, with its values", async () => {
  await using workspace = await createWorkspace();
  const message = "订阅im.message.receive_v1需要先申请Scope: event.bot.message";
  const errorCode = "EVENT_SCOPE_MISSING";
  const body = {
    timestamp: "2026-01-01T00:00:00.000Z",
    status: 403,
    error: "Forbidden",
    message,
    path: "/",
    errorCode,
  };
  await using service = await startConsole((response) => answerJson(response, 403, body));
  const { stderr } = await workspace.portico(["subscriptions", "app_1", ...service.options]);
  assert.equal(
    stderr,
    `refused: 403 Forbidden: ${message}\n` +
      "To subscribe to im.message.receive_v1, the application must first ask for the scope event.bot.message.\n" +
      "Only the owner of an app may do this: log in as that developer.\n",
  );
});
