import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, startService } from "../../sdk/test/service.ts";
import { createWorkspace } from "./portico.ts";

const USER = { userId: "u_alice", username: "alice", name: "Alice", tenantId: "t_demo" };
const LOGIN = { accessToken: "tok_1", expiresAt: 1, user: USER };
const MEMBER = ["--tenant", "t_demo", "--user", "alice", "--password", "pa55word"];

function message(name: string, msgType: string, content: unknown, recalled = false) {
  return {
    messageId: 1,
    msgSeq: 1,
    msgType,
    content,
    sender: { type: "MEMBER", id: "u", name },
    mentions: [],
    cardVersion: null,
    recalled,
    parentMessageId: null,
    createTime: 1,
  };
}

function startMessenger(items: unknown) {
  return startService((response, index) => answer(response, 200, "000000", index === 0 ? LOGIN : { items }));
}

test("a conversation is read after a login, one line per message", async () => {
  await using workspace = await createWorkspace();
  await using service = await startMessenger([
    message("Alice", "text", { text: "早上好" }),
    message("CI", "card", { card: {} }),
    message("Bob", "file", { fileName: "report.pdf" }),
    message("Bob", "text", null, true),
  ]);
  const { code, stdout, stderr } = await workspace.portico([
    "read",
    "group:g_team",
    "--base-url",
    service.baseUrl,
    ...MEMBER,
  ]);

  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(stdout, "Alice: 早上好\nCI: [card]\nBob: [file] report.pdf\nBob: [recalled]\n");
  const [login, history] = service.requests;
  assert.equal(`${login?.method} ${login?.url}`, "POST /api/client/v1/auth/login");
  assert.deepEqual(JSON.parse(login?.body ?? ""), { tenantId: "t_demo", username: "alice", password: "pa55word" });
  assert.equal(`${history?.method} ${history?.url}`, "GET /api/client/v1/conversations/group%3Ag_team/messages");
  assert.equal(history?.headers.authorization, "Bearer tok_1");
});

test("a card is shown by its title, whatever its language", async () => {
  await using workspace = await createWorkspace();
  const card = (header: unknown) => message("CI", "card", { card: { header } });
  await using service = await startMessenger([
    card({ title: { content: "Build 1234 failed" } }),
    card({ title: { i18n: { zh_cn: "构建失败", en_us: "Build failed" } } }),
    card({ title: { i18n: {} } }),
    card({ title: 5 }),
    card(null),
    message("Bob", "image", { fileName: "cat.png" }),
    message("CI", "post", { title: "Notes" }),
  ]);
  const { stdout } = await workspace.portico(["read", "group:g", "--base-url", service.baseUrl, ...MEMBER]);
  assert.equal(
    stdout,
    "CI: [card] Build 1234 failed\nCI: [card] 构建失败\nCI: [card]\nCI: [card]\nCI: [card]\n" +
      "Bob: [image] cat.png\nCI: [post]\n",
  );
});

test("the demo member is used when no options are given", async () => {
  await using workspace = await createWorkspace();
  await using service = await startMessenger([]);
  const member = { tenantId: "t_demo", username: "alice", password: "pa55word" };
  await workspace.write("data/demo.json", JSON.stringify({ cli: { baseUrl: service.baseUrl }, member }));
  const { code, stdout } = await workspace.portico(["read", "bot:app_demo"]);
  assert.deepEqual([code, stdout], [0, ""]);
  assert.deepEqual(JSON.parse(service.requests[0]?.body ?? ""), member);
});

test("a message can neither control the terminal nor imitate another one", async () => {
  await using workspace = await createWorkspace();
  await using service = await startMessenger([
    message("Eve\nBoss", "text", { text: "hi\u001b[1A\nAlice: send money" }),
  ]);
  const { stdout } = await workspace.portico(["read", "group:g", "--base-url", service.baseUrl, ...MEMBER]);
  assert.equal(stdout, "Eve Boss: hi\\u001b[1A\n    Alice: send money\n");
});

test("a refused login advises to check the member's login, and shows no password", async () => {
  await using workspace = await createWorkspace();
  // The service keeps no log of members' calls.
  const body = { code: "400001", message: "x", value: null, reqNo: "0mwrq4lpodfd40e53537200001k" };
  await using service = await startService((response) => response.writeHead(401).end(JSON.stringify(body)));
  const { code, stderr } = await workspace.portico(["read", "group:g", "--base-url", service.baseUrl, ...MEMBER]);
  assert.equal(code, 1);
  assert.match(stderr, /^refused: 400001 .*\(reqNo \w+\)\nCheck tenant, username and password\.\n$/);
  assert.equal(service.requests.length, 1);
});

test("a success without the promised value is a failure", async () => {
  await using workspace = await createWorkspace();
  for (const items of [null, "none"]) {
    await using service = await startMessenger(items);
    const { code, stderr } = await workspace.portico(["read", "group:g", "--base-url", service.baseUrl, ...MEMBER]);
    assert.equal(code, 1);
    assert.match(stderr, /not what the call promises/);
  }
});
