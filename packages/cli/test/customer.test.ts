import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answer, CREDENTIAL, startService } from "../../sdk/test/service.ts";
import { type DemoService, printedJson, startDemoService } from "./demo-service.ts";
import { createWorkspace, credentialArgs } from "./portico.ts";

let service: DemoService;
before(async () => {
  service = await startDemoService();
});
after(() => service[Symbol.asyncDispose]());

const run = (...args: string[]) => service.portico(["customer", ...args]);
const value = async (...args: string[]) => printedJson(await run(...args, "--json"));
/** The `name  value` lines that a command printed. */
async function shown(...args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await run(...args);
  assert.equal(code, 0, stderr);
  const lines = stdout.split("\n").slice(0, -1);
  return Object.fromEntries(lines.map((line) => [line.replace(/ {2}.*/, ""), line.replace(/^.*? {2,}/, "")]));
}

test("a visitor is created, sends and receives messages, and is shown, with the credentials of the demo service desk", async () => {
  await service.write("extra.json", '{"level": 3}');
  const made = await shown("auth", "c-1", "--nickname", "Ann", "--phone", "139", "--extra", "extra.json");
  assert.equal(made.new, "yes");
  assert.match(made.token ?? "", /^[\w-]{43}$/);
  const visitorId = made.visitor ?? "";
  assert.equal((await value("visitor", visitorId)).extra.level, 3);
  const said = await value("send", visitorId, "hello\nthere", "--third-msg-id", "m-1");
  const again = await shown("send", visitorId, "hello\nthere", "--third-msg-id", "m-1");
  assert.deepEqual([again.message, again.duplicate], [String(said.messageId), "yes: this id was sent before"]);
  const session = String(said.sessionId);
  assert.deepEqual((await value("send", visitorId, "hi", "--agent", "bob", "--session", session)).seq, 2);
  const { stdout } = await run("messages", visitorId, "--session", session);
  assert.equal(stdout, "1  visitor: hello\n    there\n2  bob: hi\n\npage 1 of 1; 2 in all\n");
  assert.equal((await run("messages", visitorId, "--after", "2")).stdout, "no messages\n");
  assert.equal((await value("messages", visitorId, "--after", "1")).records[0].content, "hi");
  const visitor = await shown("visitor", visitorId);
  assert.deepEqual(
    [visitor["your id"], visitor.nickname, visitor.status, visitor["open session"]],
    ["c-1", "Ann", "enabled", session],
  );
});
test("a session is opened, assigned to an agent, shown and closed", async () => {
  const { visitorId } = await value("auth", "c-2");
  const opened = await shown("open", visitorId, "--subject", "Order 7", "--source", "shop");
  assert.deepEqual(
    [opened.status, opened.subject, opened.source, opened.new, opened["place in queue"]],
    ["QUEUED", "Order 7", "shop", "yes", "1"],
  );
  const sessionId = opened.session ?? "";
  assert.equal((await shown("open", visitorId)).new, "no");
  const assigned = await shown("assign", sessionId, "--agent", "carol");
  assert.deepEqual([assigned.status, assigned.agent], ["ACTIVE", "carol (Carol)"]);
  assert.equal((await shown("assign", sessionId, "--agent", "bob"))["agent before"], "carol");
  const agent = await shown("agent", "bob");
  assert.deepEqual(
    [agent.agent, agent.status, agent.online],
    ["bob (Bob)", "OFFLINE", "no: they are set to OFFLINE; agents go online in their desk"],
  );
  assert.equal((await shown("close", sessionId, "--reason", "done")).status, "CLOSED");
  assert.equal((await shown("close", sessionId)).note, "it was closed already");
  assert.equal((await value("session", sessionId)).closedBy, "app_demo_service");
  assert.deepEqual(await shown("agent", "nobody"), { agent: "nobody is no agent of this app" });
});
test("a text is read from standard input", async () => {
  const { visitorId } = await value("auth", "c-3");
  assert.equal((await service.portico(["customer", "send", visitorId, "-"], "from\nafar\n")).code, 0);
  assert.equal((await value("messages", visitorId)).records[0].content, "from\nafar");
});
for (const [args, refusal, advice] of [
  [["visitor", "v_0"], /^refused: 400100 访客不存在/, /portico customer auth/],
  [["send", "v_0", "x"], /^refused: 400100/, /portico customer auth/],
  [["session", "999"], /^refused: 400300 会话不存在/, /session's id/],
  [["close", "999"], /^refused: 400300 关闭会话失败/, /session's id/],
  [["assign", "999"], /^refused: 400400 分配客服失败/, /must be open/],
] as const) {
  test(`${args.join(" ")} is refused with advice`, async () => {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, refusal);
    assert.match(stderr, advice);
  });
}

test("given credentials replace those of the demo", async () => {
  await using other = await startService((response) => answer(response, 200, "000000", { records: [], total: 0 }));
  const options = credentialArgs({ ...CREDENTIAL, baseUrl: other.baseUrl });
  assert.equal((await run("messages", "v_1", "--page", "2", ...options)).code, 0);
  const [request] = other.requests;
  assert.equal(request?.url, "/api/open/v1/message/list?visitorId=v_1&page=2&pageSize=20");
  assert.equal(request?.signatureMatches, true);
});
test("without credentials the error names what is missing", async () => {
  await using workspace = await createWorkspace();
  const { code, stderr } = await workspace.portico(["customer", "agent", "bob"]);
  assert.equal(code, 2);
  assert.match(stderr, /no --app-id, --credential-id, --app-secret-file/);
});
for (const [args, message] of [
  [["auth"], "THIRD_USER_ID is missing"],
  [["visitor"], "VISITOR_ID is missing"],
  [["send", "v_1"], "VISITOR_ID and TEXT are needed"],
  [["send", "v_1", "two", "words"], "1 argument too many; put quotes around the text"],
  [["send", "v_1", "x", "--session", "0"], "--session must be the id of a session, a whole number"],
  [["messages", "v_1", "--after", "-1"], ""],
  [["messages", "v_1", "--after=x"], "--after must be a whole number from 0 on"],
  [["messages", "v_1", "--page", "0"], "--page must be a whole number from 1 on"],
  [["close", "x"], "SESSION_ID must be the id of a session, a whole number"],
  [["session", "1", "2"], "1 argument too many"],
  [["assign"], "SESSION_ID is missing"],
  [["agent", "a", "b"], "1 argument too many"],
] as const) {
  test(`customer ${args.join(" ")}: ${message || "wrong usage"}`, async () => {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.ok(stderr.startsWith(`portico customer ${args[0]}: ${message}`), stderr);
  });
}
