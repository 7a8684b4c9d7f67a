import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, CREDENTIAL, type Service, startService } from "../../sdk/test/service.ts";
import { createWorkspace, credentialArgs } from "./portico.ts";

const SENT = { messageId: 17, msgSeq: 3, clientMessageId: "build-128", duplicate: false };
const TO_TEAM = ["send", "--to", "group:g_team"];

const acceptingService = () => startService((response) => answer(response, 200, "000000", SENT));
const argsFor = (service: Service) => credentialArgs({ ...CREDENTIAL, baseUrl: service.baseUrl });

test("a text is sent to a group, and its ids are printed", async () => {
  await using workspace = await createWorkspace();
  await using service = await acceptingService();
  const args = [...argsFor(service), "--mention", "alice", "--mention", "bob", "--client-message-id", "build-128"];
  const { code, stdout, stderr } = await workspace.portico([...TO_TEAM, ...args, "构建 #128 完成"]);

  assert.deepEqual([code, stdout, stderr], [0, "messageId 17  msgSeq 3\n", ""]);
  const [request] = service.requests;
  assert.equal(request?.signatureMatches, true);
  assert.deepEqual(JSON.parse(request?.body ?? ""), {
    receiveIdType: "group_id",
    receiveId: "g_team",
    msgType: "text",
    content: { text: "构建 #128 完成", mentions: ["alice", "bob"] },
    clientMessageId: "build-128",
  });
});

test("a text is sent to a user", async () => {
  await using workspace = await createWorkspace();
  await using service = await acceptingService();
  const { code } = await workspace.portico(["send", "--to", "user:u_alice", ...argsFor(service), "hello"]);
  assert.equal(code, 0);
  const { receiveIdType, receiveId } = JSON.parse(service.requests[0]?.body ?? "");
  assert.deepEqual([receiveIdType, receiveId], ["user_id", "u_alice"]);
});

test("the text - is read from standard input, without its final line feed", async () => {
  await using workspace = await createWorkspace();
  await using service = await acceptingService();
  const { code } = await workspace.portico([...TO_TEAM, ...argsFor(service), "-"], "one\ntwo\n\n");
  assert.equal(code, 0);
  assert.equal(JSON.parse(service.requests[0]?.body ?? "").content.text, "one\ntwo\n");
});

test("standard input that is too large or not UTF-8 is not sent", async () => {
  await using workspace = await createWorkspace();
  await using service = await acceptingService();
  const large = await workspace.portico([...TO_TEAM, ...argsFor(service), "-"], "x".repeat(300_000));
  assert.equal(large.code, 2);
  assert.match(large.stderr, /over 262144 bytes/);
  const binary = await workspace.portico([...TO_TEAM, ...argsFor(service), "-"], Buffer.from([0xff, 0xfe]));
  assert.equal(binary.code, 2);
  assert.match(binary.stderr, /not UTF-8/);
  assert.equal(service.requests.length, 0);
});

test("--json prints the value", async () => {
  await using workspace = await createWorkspace();
  await using service = await acceptingService();
  const { stdout } = await workspace.portico([...TO_TEAM, ...argsFor(service), "--json", "hello"]);
  assert.deepEqual(JSON.parse(stdout), SENT);
});

test("a duplicate is reported", async () => {
  await using workspace = await createWorkspace();
  await using service = await startService((response) => answer(response, 200, "000000", { ...SENT, duplicate: true }));
  const { code, stdout } = await workspace.portico([...TO_TEAM, ...argsFor(service), "hello"]);
  assert.equal(code, 0);
  assert.match(stdout, /^messageId 17 {2}msgSeq 3 .*duplicate/);
});

for (const [status, code, advice] of [
  [401, "400001", /clock.*portico sign --explain/],
  [403, "400005", /not ACTIVE/],
  [400, "400006", /Correct what the message names/],
  [403, "400007", /Ask for the scope/],
  [403, "400008", /for the reason given/],
  [413, "413001", /Send less/],
  [406, "406001", /Give the reqNo to the operator/],
] as const) {
  test(`a refusal with ${code} shows code, message, reqNo and advice`, async () => {
    await using workspace = await createWorkspace();
    await using service = await startService((response) => answer(response, status, code));
    const outcome = await workspace.portico([...TO_TEAM, ...argsFor(service), "hello"]);
    assert.deepEqual([outcome.code, outcome.stdout], [1, ""]);
    const [refusal, next, end] = outcome.stderr.split("\n");
    assert.equal(refusal, `refused: ${code} message of ${code} (reqNo req_1)`);
    assert.match(next ?? "", advice);
    assert.equal(end, "");
    assert.doesNotMatch(outcome.stderr, /s3cr3t/);
  });
}

for (const [message, advice] of [
  ["机器人未安装到目标会话", /^Install the bot in the conversation first/m],
  ["fileKey无效或已过期", /^Upload the file again/m],
  ["回复目标与父消息不匹配", /^A reply goes to the conversation of the message it answers/m],
  ["卡片模板不存在", /^The application has no card template/m],
] as const) {
  test(`a refusal with ${message} gets advice for that message, not for its code`, async () => {
    await using workspace = await createWorkspace();
    const [status, code] = message === "卡片模板不存在" ? [400, "400006"] : [403, "400008"];
    const reqNo = "0mwrq4lpodfd40e53537200001k";
    await using service = await startService((response) => {
      response.statusCode = status ?? 400;
      response.end(JSON.stringify({ code, message, value: null, reqNo }));
    });
    const { stderr } = await workspace.portico([...TO_TEAM, ...argsFor(service), "hello"]);
    assert.match(stderr, advice);
    assert.equal(stderr.includes("Install the bot"), message.startsWith("机器人"));
    assert.equal(stderr.includes(`\`portico requests ${reqNo}\` tells why.`), code === "400008");
  });
}

test("a 429001 with a long Retry-After is reported at once", async () => {
  await using workspace = await createWorkspace();
  await using service = await startService((response) => {
    response.setHeader("Retry-After", "30");
    answer(response, 429, "429001");
  });
  const { code, stderr } = await workspace.portico([...TO_TEAM, ...argsFor(service), "hello"]);
  assert.equal(code, 1);
  assert.match(stderr, /^Wait 30 s/m);
  assert.equal(service.requests.length, 1);
});

test("text of the service cannot control the terminal", async () => {
  await using workspace = await createWorkspace();
  await using service = await startService((response) => {
    response.end(JSON.stringify({ code: "400006", message: "\u001b[2Jgone", value: null, reqNo: "req_1" }));
  });
  const { stderr } = await workspace.portico([...TO_TEAM, ...argsFor(service), "hello"]);
  assert.match(stderr, /\\u001b\[2Jgone/);
});

test("a service that is not running is reported with its address", async () => {
  await using workspace = await createWorkspace();
  const service = await acceptingService();
  await service[Symbol.asyncDispose]();
  const { code, stdout, stderr } = await workspace.portico([...TO_TEAM, ...argsFor(service), "hello"]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.ok(stderr.includes(service.baseUrl));
  assert.match(stderr, /Is the service running\? Start it with `npm start`/);
  assert.doesNotMatch(stderr, /s3cr3t/);
});

test("something else at the address is distinguished from a service that is not running", async () => {
  await using workspace = await createWorkspace();
  await using service = await startService((response) => response.writeHead(404).end("<h1>Not Found</h1>"));
  const { code, stderr } = await workspace.portico([...TO_TEAM, ...argsFor(service), "hello"]);
  assert.equal(code, 1);
  assert.match(stderr, /HTTP 404.*\n.*check the base URL/);
});

test("--reply-to replies to a message", async () => {
  await using workspace = await createWorkspace();
  await using service = await acceptingService();
  const args = [...argsFor(service), "--reply-to", "5", "--client-message-id", "build-128"];
  assert.equal((await workspace.portico([...TO_TEAM, ...args, "hello"])).code, 0);
  const [request] = service.requests;
  assert.equal(`${request?.method} ${request?.url}`, "POST /api/open/v2/bot/messages/5/reply");
  assert.equal(JSON.parse(request?.body ?? "").clientMessageId, "build-128");
});

test("a template is given by its id, and mentions are sent with content of every type", async () => {
  await using workspace = await createWorkspace();
  await using service = await acceptingService();
  await workspace.write("post.json", '{"title": "Notes", "mentions": ["carol"]}');
  for (const what of [
    ["--template", "tpl_1"],
    ["--post", "post.json"],
  ]) {
    await workspace.portico([...TO_TEAM, ...argsFor(service), "--mention", "alice", ...what]);
  }
  await workspace.portico([...TO_TEAM, ...argsFor(service), "--post", "post.json"]);
  assert.deepEqual(
    service.requests.map(({ body }) => JSON.parse(body).content),
    [
      { cardId: "tpl_1", mentions: ["alice"] },
      { title: "Notes", mentions: ["alice"] },
      { title: "Notes", mentions: ["carol"] },
    ],
  );
});
