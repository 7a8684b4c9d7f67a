import assert from "node:assert/strict";
import { acme, call } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CUSTOMER_SCOPES, CustomerClient, customerApp, V1, visitorOf } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_desk";
const ann = visitorOf(APP, "ann");
const dora = visitorOf(APP, "dora");

/** Every endpoint of the table, with its scope and a valid call. */
const ENDPOINTS = [
  ["POST", "visitor/auth", "customer.visitor.manage", { thirdUserId: "c-1" }],
  ["GET", "visitor/info", "customer.visitor.manage", { visitorId: ann }],
  ["POST", "message/send", "customer.message.send", { visitorId: ann, content: "x" }],
  ["GET", "message/list", "customer.message.read", { visitorId: ann }],
  ["POST", "agent/message/send", "customer.message.send", { agentId: "alice", visitorId: ann, content: "x" }],
  ["POST", "session/create", "customer.session.manage", { visitorId: ann }],
  ["POST", "session/close", "customer.session.manage", { sessionId: 1 }],
  ["GET", "session/info", "customer.session.manage", { sessionId: "1" }],
  ["POST", "agent/assign", "customer.session.manage", { sessionId: 1 }],
  ["GET", "agent/status", "customer.agent.read", { agentId: "alice" }],
] as const;

/** Values that are not ids of a session. */
const NO_SESSION = [
  "abc",
  "12a",
  "-1",
  "1.5",
  " 1",
  "0x1",
  "0",
  "99999999",
  "9".repeat(400),
  -1,
  1.5,
  1e300,
  0,
  true,
  {},
];

onBothEngines("customer service: refusals", (engine, test) => {
  const without = ENDPOINTS.map(([, , scope]) => scope).filter((scope, at, all) => all.indexOf(scope) === at);
  const world = suiteWorld(
    engine,
    acme(
      customerApp(APP),
      customerApp("app_other"),
      ...without.map((scope) =>
        customerApp(`app_without_${scope.replaceAll(".", "_")}`, {
          scopes: CUSTOMER_SCOPES.filter((other) => other !== scope),
        }),
      ),
    ),
  );
  const app = new CustomerClient(world, APP);
  const other = new CustomerClient(world, "app_other");
  const ask = (client: CustomerClient, method: string, path: string, said: Record<string, string | number>) =>
    method === "GET" ? client.get(path, said) : client.post(path, said);

  for (const [method, path, scope, said] of ENDPOINTS) {
    test(`${method} ${path} needs the scope ${scope}`, async () => {
      const client = new CustomerClient(world, `app_without_${scope.replaceAll(".", "_")}`);
      assertRefused(await ask(client, method, path, said), 403, "400007", "所需的开放平台Scope未被授权");
      const answer = await ask(app, method, path, said);
      assert.notEqual(answer.json.code, "400007");
    });
    test(`${method} ${path} answers another method with the container's 404`, async () => {
      const answer = await call(world(), APP, { method: method === "GET" ? "POST" : "GET", target: `${V1}/${path}` });
      assert.equal(answer.status, 404);
      assert.deepEqual(Object.keys(answer.json), ["timestamp", "status", "error", "path"]);
    });
  }

  test("POST visitor/auth: application not found gives 401 + 400001 应用不存在", async () => {
    for (const appId of ["app_other", "app_nowhere"]) {
      const refused = await app.post("visitor/auth", { thirdUserId: "c-1", appId });
      assertRefused(refused, 401, "400001", "应用不存在");
    }
    assertSuccess(await app.post("visitor/auth", { thirdUserId: "c-1", appId: APP }));
    const body = JSON.stringify({ thirdUserId: "c-1" });
    const unknown = await call(world(), "app_nowhere", { method: "POST", target: `${V1}/visitor/auth`, body });
    assertRefused(unknown, 401, "400001", "应用不存在");
    const elsewhere = await call(world(), "app_nowhere", { target: `${V1}/agent/status?agentId=alice` });
    assertRefused(elsewhere, 401, "400001", "身份认证失败");
  });
  test("GET visitor/info: visitor not found gives 404 + 400100 访客不存在", async () => {
    assertRefused(await app.get("visitor/info", { visitorId: "v_nobody" }), 404, "400100", "访客不存在");
  });
  test("POST message/send: visitor not found gives 404 + 400100 访客不存在", async () => {
    const refused = await app.post("message/send", { visitorId: "v_nobody", content: "x" });
    assertRefused(refused, 404, "400100", "访客不存在");
  });
  test("POST agent/message/send: visitor not found gives 404 + 400100 访客不存在", async () => {
    const refused = await app.post("agent/message/send", { agentId: "alice", visitorId: "v_nobody", content: "x" });
    assertRefused(refused, 404, "400100", "访客不存在");
  });
  test("POST message/send, agent/message/send: visitor disabled (status 0) gives 403 + 400101 访客已禁用", async () => {
    const said = { agentId: "alice", visitorId: dora, content: "x" };
    for (const path of ["message/send", "agent/message/send"]) {
      assertRefused(await app.post(path, said), 403, "400101", "访客已禁用");
    }
  });
  test("POST visitor/auth, session/create: a disabled visitor gets neither token nor session", async () => {
    assertRefused(
      await app.post("visitor/auth", { thirdUserId: "c-dora", nickname: "D" }),
      403,
      "400101",
      "访客已禁用",
    );
    assertRefused(await app.post("session/create", { visitorId: dora }), 403, "400101", "访客已禁用");
    const { db } = world().portico.ctx.storage;
    const tokens = await db.selectFrom("visitor_tokens").selectAll().where("visitor_id", "=", dora).execute();
    assert.equal(tokens.length, 0);
    const value = await app.value(app.get("visitor/info", { visitorId: dora }));
    assert.deepEqual([value.nickname, value.status, value.currentSessionId], ["Dora", 0, null]);
  });
  test("POST agent/message/send: agent account not found gives 404 + 400401 客服账号不存在", async () => {
    for (const agentId of ["nobody", "carol", "u_alice"]) {
      const refused = await app.post("agent/message/send", { agentId, visitorId: ann, content: "x" });
      assertRefused(refused, 404, "400401", "客服账号不存在");
    }
  });
  test("POST session/create: visitor not found gives 404 + 400100 访客不存在", async () => {
    assertRefused(await app.post("session/create", { visitorId: "v_nobody" }), 404, "400100", "访客不存在");
  });
  test("POST session/create: agent account not found gives 404 + 400401 客服账号不存在", async () => {
    for (const agentId of ["nobody", "carol"]) {
      const refused = await app.post("session/create", { visitorId: ann, agentId });
      assertRefused(refused, 404, "400401", "客服账号不存在");
    }
  });
  test("GET session/info: session not found, or non-numeric sessionId, gives 404 + 400300 会话不存在", async () => {
    for (const sessionId of NO_SESSION) {
      if (typeof sessionId !== "string") continue;
      assertRefused(await app.get("session/info", { sessionId }), 404, "400300", "会话不存在");
    }
  });
  test("POST session/close: not found, not owned, or non-numeric sessionId gives 404 + 400300 关闭会话失败", async () => {
    const owned = await other.newSession();
    for (const sessionId of [...NO_SESSION, owned.sessionId, String(owned.sessionId)]) {
      assertRefused(await app.post("session/close", { sessionId }), 404, "400300", "关闭会话失败");
    }
  });
  test("POST agent/assign: not found, not owned, or non-numeric sessionId gives 409 + 400400 分配客服失败", async () => {
    const owned = await other.newSession();
    for (const sessionId of [...NO_SESSION, owned.sessionId, String(owned.sessionId)]) {
      const refused = await app.post("agent/assign", { sessionId, agentId: "alice" });
      assertRefused(refused, 409, "400400", "分配客服失败");
    }
  });
  test("POST agent/assign: unknown agent, closed session and nobody free give 409 + 400400 分配客服失败", async () => {
    const { sessionId } = await app.newSession();
    for (const agentId of ["nobody", "carol", undefined, null, ""]) {
      assertRefused(await app.post("agent/assign", { sessionId, agentId }), 409, "400400", "分配客服失败");
    }
    assertSuccess(await app.post("session/close", { sessionId }));
    const refused = await app.post("agent/assign", { sessionId, agentId: "alice" });
    assertRefused(refused, 409, "400400", "分配客服失败");
  });

  const REQUIRED = {
    "visitor/auth": { thirdUserId: "c-1" },
    "message/send": { visitorId: ann, content: "x" },
    "agent/message/send": { agentId: "alice", visitorId: ann, content: "x" },
    "session/create": { visitorId: ann },
    "session/close": { sessionId: 1 },
    "agent/assign": { sessionId: 1 },
  };
  for (const [path, complete] of Object.entries(REQUIRED)) {
    for (const field of Object.keys(complete)) {
      test(`POST ${path}: required field ${field} missing or empty gives 400 + 400006 with a field-level message`, async () => {
        for (const missing of [undefined, null, ""]) {
          const refused = await app.post(path, { ...complete, [field]: missing });
          assertRefused(refused, 400, "400006", `${field}不能为空`);
        }
      });
    }
    test(`POST ${path}: a body that is not a JSON object gives 400 + 400006, another type 415 + 415001`, async () => {
      for (const body of ["null", "[]", '"x"', "{", "", "7"]) {
        const headers = { "content-type": "application/json" };
        assertRefused(await app.post(path, body, { headers }), 400, "400006");
      }
      const refused = await app.post(path, complete, { headers: { "content-type": "text/plain" } });
      assertRefused(refused, 415, "415001");
      assert.match(refused.json.message, /text\/plain/);
    });
  }
  for (const [path, name] of [
    ["visitor/info", "visitorId"],
    ["message/list", "visitorId"],
    ["session/info", "sessionId"],
    ["agent/status", "agentId"],
  ] as const) {
    test(`GET ${path}: required query parameter missing gives 400 + 400006 Required String parameter '${name}' is not present`, async () => {
      for (const query of ["", `?${name}=`, `?${name}`, "?x=1"]) {
        const answer = await call(world(), APP, { target: `${V1}/${path}${query}` });
        assertRefused(answer, 400, "400006", `Required String parameter '${name}' is not present`);
      }
    });
    test(`GET ${path}: a repeated ${name}, or one with NUL, is refused or not found`, async () => {
      assertRefused(await call(world(), APP, { target: `${V1}/${path}?${name}=a&${name}=b` }), 400, "400006");
      const answer = await call(world(), APP, { target: `${V1}/${path}?${name}=a%00b` });
      assert.ok([400, 404].includes(answer.status), answer.text);
    });
  }

  test("success: GET agent/status for an unknown agent", async () => {
    for (const agentId of ["nobody", "carol", "u_alice", "x".repeat(5000)]) {
      const answer = await app.get("agent/status", { agentId });
      assertSuccess(answer);
      const value = { exists: false, online: false, agentName: null, status: null, activeSessions: 0 };
      assert.deepEqual(answer.json.value, value);
    }
  });
  test("success: GET message/list for an unknown visitor", async () => {
    const answer = await app.get("message/list", { visitorId: "v_nobody" });
    assertSuccess(answer);
    assert.deepEqual(answer.json.value, { records: [], total: 0 });
  });
  test("success: message send with a repeated thirdMsgId", async () => {
    const said = { visitorId: ann, content: "x", thirdMsgId: "m-1", agentId: "alice" };
    for (const path of ["message/send", "agent/message/send"]) {
      const first = await app.value(app.post(path, said));
      const answer = await app.post(path, said);
      assertSuccess(answer);
      assert.deepEqual(answer.json.value, { ...first, isDuplicate: true });
    }
  });

  test("no endpoint reveals anything about another application", async () => {
    const { visitorId, sessionId } = await other.newSession();
    await other.value(other.post("message/send", { visitorId, content: "theirs", thirdMsgId: "theirs" }));
    const before = await other.value(other.get("message/list", { visitorId }));

    assertRefused(await app.get("visitor/info", { visitorId }), 404, "400100");
    assertRefused(await app.post("message/send", { visitorId, content: "x" }), 404, "400100");
    assertRefused(await app.post("agent/message/send", { agentId: "alice", visitorId, content: "x" }), 404, "400100");
    assertRefused(await app.post("session/create", { visitorId }), 404, "400100");
    assertRefused(await app.get("session/info", { sessionId }), 404, "400300");
    assertRefused(await app.post("session/close", { sessionId }), 404, "400300");
    assertRefused(await app.post("agent/assign", { sessionId, agentId: "alice" }), 409, "400400");
    assert.deepEqual(await app.value(app.get("message/list", { visitorId })), { records: [], total: 0 });
    assert.deepEqual(await app.value(app.get("message/list", { visitorId: ann, sessionId })), {
      records: [],
      total: 0,
    });
    assertRefused(
      await app.post("message/send", { visitorId: ann, sessionId, content: "x" }),
      404,
      "400300",
      "会话不存在",
    );

    const own = await app.value(app.post("message/send", { visitorId: ann, content: "mine", thirdMsgId: "theirs" }));
    assert.equal(own.isDuplicate, false);
    const { thirdUserId } = await other.value(other.get("visitor/info", { visitorId }));
    const namesake = await app.value(app.post("visitor/auth", { thirdUserId }));
    assert.notEqual(namesake.visitorId, visitorId);
    assert.equal(namesake.isNew, true);

    assert.deepEqual(await other.value(other.get("message/list", { visitorId })), before);
    assert.equal((await other.value(other.get("session/info", { sessionId }))).status, "QUEUED");
  });
});
