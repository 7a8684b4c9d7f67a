import assert from "node:assert/strict";
import { acme } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DeskClient, sendHeartbeat } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { FORM_TYPE, filePart, form } from "./support/uploads.ts";
import { suiteWorld } from "./support/world.ts";

const AGENTS = Array.from({ length: 50 }, (_, n) => `agent${n}`);

onBothEngines("the agents' API", (engine, test) => {
  const apps = ["app_apps", "app_status", "app_lists", "app_own", "app_say", "app_files", "app_read"];
  const file = acme(
    ...apps.map((appId) => customerApp(appId)),
    customerApp("app_race", { agents: AGENTS }),
    customerApp("app_off", { status: "DISABLED" }),
    customerApp("app_bobs", { agents: ["bob"] }),
  );
  for (const username of AGENTS) {
    file.members?.push({ tenant: "t_acme", userId: `u_${username}`, username, name: username });
  }
  const world = suiteWorld(engine, file);
  const client = (appId: string) => new CustomerClient(world, appId);
  const signIn = (userId = "u_alice") => DeskClient.signIn(world(), userId);
  const refused = async (answer: ReturnType<DeskClient["call"]>, status: number, code: string, message?: string) =>
    assertRefused(await answer, status, code, message);

  test("an agent sees their ACTIVE applications, with status and presence", async () => {
    await client("app_apps").newSession();
    const { items } = await (await signIn()).ok("GET", "apps");
    assert.deepEqual(
      items.map(({ appId }: { appId: string }) => appId),
      apps.toSorted(),
    );
    assert.deepEqual(items[0], {
      appId: "app_apps",
      name: "Desk app_apps",
      status: "OFFLINE",
      online: false,
      maxSessions: 10,
      activeSessions: 0,
      queued: 1,
    });
    assert.deepEqual(await (await signIn("u_carol")).ok("GET", "apps"), { items: [] });
  });

  test("callers without sign-in, members who are no agents, and unknown ids are refused with the open API's errors", async () => {
    const alice = await signIn();
    await refused(send(`${world().url}/api/desk/v1/apps`), 401, "400001");
    const { sessionId } = await client("app_bobs").newSession();
    const path = `apps/app_bobs/sessions/${sessionId}`;
    for (const [method, target, body] of [
      ["PUT", "apps/app_bobs/status", { status: "ONLINE" }],
      ["GET", "apps/app_bobs/sessions?status=QUEUED", undefined],
      ["POST", `${path}/accept`, undefined],
      ["POST", `${path}/close`, {}],
      ["POST", `${path}/transfer`, { agentId: "bob" }],
      ["GET", `${path}/messages`, undefined],
      ["POST", `${path}/messages`, { content: "hi" }],
      ["POST", `${path}/read`, { seq: 1 }],
      ["GET", "apps/app_bobs/agents", undefined],
      ["GET", path, undefined],
    ] as const) {
      await refused(alice.call(method, target, body), 403, "400008", "不是该应用的客服");
    }
    await refused(alice.call("GET", "apps/app_unknown/sessions?status=QUEUED"), 403, "400008");
    await refused(alice.call("GET", "apps/app_off/sessions?status=QUEUED"), 403, "400005");
    for (const id of [sessionId, 999_999, "x", "0", "99999999999999999999"]) {
      await refused(alice.call("POST", `apps/app_own/sessions/${id}/accept`), 404, "400300", "会话不存在");
    }
    for (const status of ["", "AWAY", null, 1]) {
      await refused(alice.call("PUT", "apps/app_own/status", { status }), 400, "400006");
    }
    await refused(alice.call("GET", "apps/app_own/sessions"), 400, "400006");
    await refused(alice.call("GET", "apps/app_own/sessions?status=QUEUED&limit=101"), 400, "400006");
  });

  test("each status change is announced once, and is independent of presence", async () => {
    const [alice, app] = [await signIn(), client("app_status")];
    const chosen = await alice.choose("app_status", "ONLINE");
    const state = { agentId: "alice", agentName: "Alice", status: "ONLINE", online: false };
    assert.deepEqual(chosen, { ...state, maxSessions: 10, activeSessions: 0 });
    await alice.choose("app_status", "ONLINE");
    await alice.choose("app_status", "BUSY");
    const statuses = (await app.events()).filter(({ eventType }) => eventType === "customer.agent.status_v1");
    assert.deepEqual(
      statuses.map(({ agent, previousStatus }) => [agent.status, agent.online, previousStatus]),
      [
        ["ONLINE", false, "OFFLINE"],
        ["BUSY", false, "ONLINE"],
      ],
    );
    const { sessionId } = await app.newSession();
    await sendHeartbeat(world().portico, "u_alice");
    assert.equal(
      (await app.value(app.get("session/info", { sessionId }))).status,
      "QUEUED",
      "a BUSY one is given none",
    );
    await alice.choose("app_status", "ONLINE");
    assert.equal((await app.value(app.get("session/info", { sessionId }))).agentId, "alice");
  });

  test("lists: the queue in order, the agent's own, all, and the closed sessions page by page", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_lists")];
    const opened = [];
    for (let n = 0; n < 6; n++) opened.push((await app.newSession()).sessionId);
    const [first = 0, second = 0, third = 0, ...rest] = opened;
    const list = async (agent: DeskClient, query: string) => {
      const { items } = await agent.ok("GET", `apps/app_lists/sessions?${query}`);
      return items.map(({ sessionId }: { sessionId: number }) => sessionId);
    };
    assert.deepEqual(await list(alice, "status=QUEUED"), opened);
    assert.deepEqual(await list(alice, "status=QUEUED&limit=2"), [first, second]);
    await alice.ok("POST", `apps/app_lists/sessions/${second}/accept`);
    await bob.ok("POST", `apps/app_lists/sessions/${third}/accept`);
    assert.deepEqual(await list(alice, "status=ACTIVE"), [second]);
    assert.deepEqual(await list(alice, "status=ACTIVE&all=true"), [third, second]);
    for (const id of [...rest, first]) await alice.ok("POST", `apps/app_lists/sessions/${id}/close`, {});
    const closed = [first, ...rest].sort((a, b) => b - a);
    assert.deepEqual(await list(alice, "status=CLOSED"), closed);
    assert.deepEqual(await list(bob, `status=CLOSED&limit=2&before=${closed[1]}`), closed.slice(2, 4));
    const { items } = await alice.ok("GET", "apps/app_lists/sessions?status=ACTIVE");
    const { visitor, lastMessage, lastSeq, readSeq, visitorReadSeq, queuedAt, ...session } = items[0];
    assert.deepEqual(session, await app.value(app.get("session/info", { sessionId: second })));
    assert.equal(visitor.visitorId, session.visitorId);
    assert.deepEqual([lastMessage, lastSeq, readSeq, visitorReadSeq], [null, 0, 0, 0]);
    assert.equal(queuedAt, session.createdAt);
  });

  test("of 50 concurrent accepts of a session one succeeds", async () => {
    const { sessionId } = await client("app_race").newSession();
    const agents = await Promise.all(AGENTS.map((username) => signIn(`u_${username}`)));
    const answers = await Promise.all(
      agents.map((agent) => agent.call("POST", `apps/app_race/sessions/${sessionId}/accept`)),
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    for (const [n, answer] of answers.entries()) {
      if (n !== winner) assertRefused(answer, 409, "400400", "分配客服失败");
    }
    assert.equal(answers[winner]?.json.value.agentId, AGENTS[winner]);
    const told = (await client("app_race").events()).filter(({ change }) => change === "assigned");
    assert.equal(told.length, 1);
  });

  test("only its agent may close, transfer or write in a session; any agent may use a queued one", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_own")];
    const { sessionId } = await app.newSession();
    const path = `apps/app_own/sessions/${sessionId}`;
    await refused(alice.call("POST", `${path}/messages`, { content: "hi" }), 403, "400008", "会话不属于当前客服");
    await bob.ok("POST", `${path}/transfer`, { agentId: "alice" });
    for (const [action, body] of [
      ["close", {}],
      ["transfer", { agentId: "bob" }],
      ["messages", { content: "hi" }],
      ["read", { seq: 1 }],
    ] as const) {
      await refused(bob.call("POST", `${path}/${action}`, body), 403, "400008", "会话不属于当前客服");
    }
    await refused(bob.call("POST", `${path}/accept`), 409, "400400");
    for (const agentId of ["carol", "nobody"]) {
      await refused(alice.call("POST", `${path}/transfer`, { agentId }), 409, "400400", "分配客服失败");
    }
    await refused(alice.call("POST", `${path}/transfer`, {}), 400, "400006");
    assert.equal((await alice.ok("POST", `${path}/transfer`, { agentId: "bob" })).agentId, "bob");
    const changes = (await app.events()).map(({ change, previousAgentId }) => [change, previousAgentId]);
    assert.deepEqual(changes, [
      ["created", null],
      ["assigned", null],
      ["transferred", "alice"],
    ]);
    const closed = await bob.ok("POST", `${path}/close`, { reason: "done" });
    assert.deepEqual([closed.status, closed.closedBy], ["CLOSED", "bob"]);
    assert.equal((await alice.ok("POST", `${path}/close`, {})).closedAt, closed.closedAt);
    await refused(bob.call("POST", `${path}/transfer`, { agentId: "alice" }), 409, "400400");
    await refused(bob.call("POST", `${path}/accept`), 409, "400400");
    await refused(bob.call("POST", `${path}/messages`, { content: "hi" }), 404, "400300", "会话已关闭");
  });

  test("an agent's message is stored once for each clientMessageId, independent of the integrator's ids", async () => {
    const [alice, app] = [await signIn(), client("app_say")];
    const { sessionId, visitorId } = await app.newSession({ agentId: "alice" });
    const path = `apps/app_say/sessions/${sessionId}/messages`;
    await app.value(
      app.post("agent/message/send", { agentId: "alice", visitorId, content: "theirs", thirdMsgId: "m1" }),
    );
    const body = { content: "hello", clientMessageId: "m1" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => alice.ok("POST", path, body)));
    assert.equal(answers.filter(({ isDuplicate }) => !isDuplicate).length, 1);
    assert.equal(new Set(answers.map(({ messageId }) => messageId)).size, 1);
    assert.deepEqual(answers[0], { ...answers[0], sessionId, seq: 2 });
    await app.value(app.post("message/send", { visitorId, content: "hi" }));
    const { items, ...marks } = await alice.ok("GET", path);
    assert.deepEqual(
      items.map(({ content, senderType, agentId, clientMessageId, seq }: Record<string, unknown>) => {
        return [seq, content, senderType, agentId, clientMessageId];
      }),
      [
        [1, "theirs", "AGENT", "alice", null],
        [2, "hello", "AGENT", "alice", "m1"],
        [3, "hi", "VISITOR", null, null],
      ],
    );
    assert.deepEqual(marks, { lastSeq: 3, readSeq: 0, visitorReadSeq: 0 });
    const seqs = async (query: string) =>
      (await alice.ok("GET", `${path}?${query}`)).items.map(({ seq }: { seq: number }) => seq);
    assert.deepEqual(await seqs("afterSeq=1"), [2, 3]);
    assert.deepEqual(await seqs("afterSeq=3"), []);
    assert.deepEqual(await seqs("beforeSeq=3&limit=1"), [2]);
    assert.deepEqual(await seqs("beforeSeq=1"), []);
    for (const content of ["", "  ", null, undefined, {}, 1]) {
      await refused(alice.call("POST", path, { content }), 400, "400006");
    }
    await refused(alice.call("POST", path, { content: "x", msgType: "card" }), 400, "400006");
  });

  test("a message tells the name that its agent had then, at the desk and in the widget, and not to the integrator", async () => {
    const [agent, app] = [await signIn("u_agent1"), client("app_race")];
    const { visitorId, visitorToken } = await app.value(app.post("visitor/auth", { thirdUserId: "c-name" }));
    const { sessionId } = await app.value(app.post("session/create", { visitorId, agentId: "agent1" }));
    const path = `apps/app_race/sessions/${sessionId}`;
    const rename = (name: string) =>
      world().portico.ctx.storage.write((tx) =>
        tx.updateTable("members").set({ name }).where("user_id", "=", "u_agent1").execute(),
      );
    await agent.ok("POST", `${path}/messages`, { content: "before" });
    await rename("Eve Smith");
    await agent.ok("POST", `${path}/messages`, { content: "after" });
    await app.value(app.post("message/send", { visitorId, content: "thanks" }));
    const names = (items: { agentName: string | null }[]) => items.map(({ agentName }) => agentName);
    const expected = ["agent1", "Eve Smith", null];
    assert.deepEqual(names((await agent.ok("GET", `${path}/messages`)).items), expected);
    const shown = await send(`${world().url}/api/widget/v1/messages`, {
      headers: { authorization: `Bearer ${visitorToken}` },
    });
    assert.deepEqual(names(shown.json.value.items), expected);
    const { records } = await app.value(app.get("message/list", { visitorId }));
    assert.ok(records.every((record: object) => !("agentName" in record)));
  });

  test("a closed session shows the messages up to its end, and later ones on request", async () => {
    const [alice, app] = [await signIn(), client("app_say")];
    const { sessionId, visitorId } = await app.newSession({ agentId: "alice" });
    const path = `apps/app_say/sessions/${sessionId}`;
    await alice.ok("POST", `${path}/messages`, { content: "one" });
    await alice.ok("POST", `${path}/close`, {});
    await app.value(app.post("message/send", { visitorId, content: "two" }));
    assert.deepEqual((await alice.ok("GET", `${path}/messages`)).items.length, 1);
    assert.deepEqual((await alice.ok("GET", `${path}/messages?afterSeq=1`)).items[0].content, "two");
  });

  test("an agent can send only their own uploads", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_files")];
    const upload = async (agent: DeskClient) => {
      const answer = await send(`${world().url}/api/client/v1/files`, {
        method: "POST",
        headers: { authorization: `Bearer ${agent.token}`, "content-type": FORM_TYPE },
        body: form(filePart({ content: Buffer.from("a file") })),
      });
      return answer.json.value.fileKey;
    };
    const { sessionId, visitorId } = await app.newSession({ agentId: "alice" });
    const path = `apps/app_files/sessions/${sessionId}/messages`;
    const foreign = { msgType: "file", content: { fileKey: await upload(bob) } };
    await refused(alice.call("POST", path, foreign), 403, "400008", "fileKey无效或已过期");
    await alice.ok("POST", path, { msgType: "file", content: { fileKey: await upload(alice) } });
    const { records } = await app.value(app.get("message/list", { visitorId }));
    assert.equal((await send(records[0].content.url)).text, "a file");
  });

  test("read marks only move forward, up to the last message", async () => {
    const [alice, app] = [await signIn(), client("app_read")];
    const { sessionId, visitorId } = await app.newSession({ agentId: "alice" });
    const path = `apps/app_read/sessions/${sessionId}`;
    for (const content of ["one", "two", "three"]) await app.value(app.post("message/send", { visitorId, content }));
    for (const [seq, readSeq] of [
      [0, 0],
      [2, 2],
      [1, 2],
      [99, 3],
    ]) {
      assert.deepEqual(await alice.ok("POST", `${path}/read`, { seq }), { readSeq });
    }
    const { items } = await alice.ok("GET", "apps/app_read/sessions?status=ACTIVE");
    assert.deepEqual([items[0].lastSeq, items[0].readSeq, items[0].lastMessage.content], [3, 3, "three"]);
    await refused(alice.call("POST", `${path}/read`, { seq: -1 }), 400, "400006");
  });
});
