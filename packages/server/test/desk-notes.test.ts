import assert from "node:assert/strict";
import { DESK_BOUNDS } from "@portico/protocol";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { acme } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DeskClient, WIDGET_STREAM } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { StreamClient } from "./support/stream-client.ts";
import { WIDGET, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APPS = ["app_notes", "app_pages", "app_told", "app_hidden", "app_once", "app_move", "app_gone"];
const TOO_LONG = "x".repeat(DESK_BOUNDS.noteLength + 1);

onBothEngines("agents' notes about visitors", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(...APPS.map((appId) => customerApp(appId)), customerApp("app_bobs", { agents: ["bob"] })),
  );
  const client = (appId: string) => new CustomerClient(world, appId);
  const signIn = (userId = "u_alice") => DeskClient.signIn(world(), userId);
  /** A closed session, then an open one of the same visitor, each with its path. */
  const twoSessions = async (appId: string) => {
    const [app, alice] = [client(appId), await signIn()];
    const first = await app.newSession();
    const path = (sessionId: number) => `apps/${appId}/sessions/${sessionId}`;
    await alice.ok("POST", `${path(first.sessionId)}/close`, {});
    const { visitorId } = first;
    const second = await app.value(app.post("session/create", { visitorId }));
    return { visitorId, first: path(first.sessionId), second: path(second.sessionId), ids: [first, second] };
  };

  test("any agent writes notes in any session; a visitor's notes of all sessions are listed, oldest first", async () => {
    const [alice, bob] = [await signIn(), await signIn("u_bob")];
    const { visitorId, first, second, ids } = await twoSessions("app_notes");
    const note = await bob.ok("POST", `${first}/notes`, { text: "pays late" });
    assert.deepEqual(note, {
      noteId: note.noteId,
      visitorId,
      sessionId: ids[0]?.sessionId,
      agentId: "bob",
      agentName: "Bob",
      text: "pays late",
      clientNoteId: null,
      createdAt: world().clock.now(),
    });
    const other = await alice.ok("POST", `${second}/notes`, { text: " called back ", clientNoteId: "n1" });
    assert.deepEqual([other.text, other.clientNoteId], [" called back ", "n1"]);
    assert.deepEqual(await alice.ok("GET", `${first}/notes`), { items: [note, other] });
    const { items } = await bob.ok("GET", `${second}/notes`);
    assert.deepEqual(items, [note, { ...other, clientNoteId: null }], "only its writer sees the clientNoteId");
    const elsewhere = await client("app_notes").newSession();
    assert.deepEqual(await alice.ok("GET", `apps/app_notes/sessions/${elsewhere.sessionId}/notes`), { items: [] });
  });

  test("pages go back from the newest; long texts make a page shorter, and nothing is left out", async () => {
    const alice = await signIn();
    const { sessionId } = await client("app_pages").newSession();
    const path = `apps/app_pages/sessions/${sessionId}/notes`;
    // A page of them would have more than 256 KiB.
    const texts = Array.from({ length: 60 }, (_, n) => `${n}${"界".repeat(DESK_BOUNDS.noteLength - 2)}`);
    for (const text of texts) await alice.ok("POST", path, { text });
    const read: string[] = [];
    let [before, pages] = ["", 0];
    for (;;) {
      const { items } = await alice.ok("GET", `${path}?limit=100${before}`);
      if (items.length === 0) break;
      pages++;
      read.unshift(...items.map(({ text }: { text: string }) => text));
      before = `&before=${items[0].noteId}`;
    }
    assert.deepEqual(read, texts);
    assert.equal(pages, 2);
    const { items } = await alice.ok("GET", `${path}?limit=2`);
    assert.deepEqual(
      items.map(({ text }: { text: string }) => text),
      texts.slice(-2),
    );
  });

  test("a repeated clientNoteId stores one note and tells of it once, also when the calls race", async () => {
    const [alice, bob] = [await signIn(), await signIn("u_bob")];
    const { sessionId } = await client("app_once").newSession();
    const path = `apps/app_once/sessions/${sessionId}/notes`;
    const stream = await bob.stream();
    const body = { text: "once", clientNoteId: "k" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => alice.ok("POST", path, body)));
    assert.equal(new Set(answers.map(({ noteId }) => noteId)).size, 1);
    const own = await bob.ok("POST", path, body);
    assert.notEqual(own.noteId, answers[0].noteId, "the key is each agent's own");
    await stream.find(({ note }) => note?.noteId === own.noteId);
    const told = stream.frames.filter(({ type }) => type === "note.created").map(({ note }) => note.noteId);
    assert.deepEqual(told, [answers[0].noteId, own.noteId]);
    assert.equal((await alice.ok("GET", path)).items.length, 2);
    await stream.close();
  });

  test("the streams of all agents of the application are told, also at another process", async () => {
    const [alice, bob] = [await signIn(), await signIn("u_bob")];
    const { second } = await twoSessions("app_told");
    const far = engine.name === "postgres" ? (await world().start()).url : world().url;
    const [near, away] = [await alice.stream(), await bob.stream(far)];
    const note = await alice.ok("POST", `${second}/notes`, { text: "hello", clientNoteId: "c" });
    const frame = { type: "note.created", appId: "app_told", note };
    assert.deepEqual(await near.find(({ type }) => type === "note.created"), frame);
    const shown = { ...frame, note: { ...note, clientNoteId: null } };
    assert.deepEqual(await away.find(({ type }) => type === "note.created"), shown);
    for (const stream of [near, away]) await stream.close();
  });

  test("a transfer's note is told before the session comes; a blank one is none", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_move")];
    const { sessionId, visitorId } = await app.newSession({ agentId: "alice" });
    const path = `apps/app_move/sessions/${sessionId}`;
    const stream = await bob.stream();
    await alice.ok("POST", `${path}/transfer`, { agentId: "bob", note: "wants a refund" });
    await stream.find(({ change }) => change === "transferred");
    assert.deepEqual(
      stream.frames.filter(({ type }) => type !== "agent.changed").map(({ type, note }) => [type, note?.text]),
      [
        ["note.created", "wants a refund"],
        ["session.changed", undefined],
      ],
    );
    for (const note of ["", " \n", null, "for myself"])
      await bob.ok("POST", `${path}/transfer`, { agentId: "bob", note });
    const { items } = await bob.ok("GET", `${path}/notes`);
    assert.deepEqual(
      items.map(({ text, agentId }: { text: string; agentId: string }) => [text, agentId]),
      [["wants a refund", "alice"]],
    );
    await assertRefused(
      await bob.call("POST", `${path}/transfer`, { agentId: "alice", note: TOO_LONG }),
      400,
      "400006",
    );
    await assertRefused(await bob.call("POST", `${path}/transfer`, { agentId: "nobody", note: "lost" }), 409, "400400");
    assert.equal((await bob.ok("GET", `${path}/notes`)).items.length, 1, "a refused transfer leaves no note");
    const session = await bob.ok("GET", path);
    assert.deepEqual([session.agentId, session.status, session.visitor.visitorId], ["bob", "ACTIVE", visitorId]);
    await stream.close();
  });

  test("nothing of a note reaches the visitor, the integrator or an event", async () => {
    const [alice, app] = [await signIn(), client("app_hidden")];
    const widget = await WidgetClient.open(world(), "app_hidden", "c-hidden");
    const stream = await StreamClient.open(world().url, widget.token, WIDGET_STREAM);
    const { sessionId } = await widget.say("hello");
    const path = `apps/app_hidden/sessions/${sessionId}`;
    const SECRET = "the customer is difficult";
    await alice.ok("POST", `${path}/notes`, { text: SECRET });
    await alice.ok("POST", `${path}/transfer`, { agentId: "alice", note: SECRET });
    await alice.ok("POST", `${path}/messages`, { content: "good day" });
    await alice.ok("POST", `${path}/notes`, { text: SECRET });
    await alice.ok("POST", `${path}/close`, {});
    await stream.find(({ change }) => change === "closed");
    const { visitorId } = widget;
    const readable = Object.values(WIDGET_ENDPOINTS).filter(({ method }) => method === "GET");
    const answers = await Promise.all([
      ...readable.map(({ path }) => widget.call(path.slice(WIDGET.length + 1).replace(":appId", "app_hidden"))),
      app.get("visitor/info", { visitorId }),
      app.get("session/info", { sessionId }),
      app.get("message/list", { visitorId }),
    ]);
    for (const answer of answers) assertSuccess(answer);
    assert.ok(answers.some(({ text }) => text.includes("good day")));
    const seen = [
      ...answers.map(({ text }) => text),
      JSON.stringify(stream.frames),
      JSON.stringify(await app.events()),
    ];
    for (const text of seen) assert.ok(!text.includes(SECRET) && !text.includes("noteId"), text);
    assert.equal((await alice.ok("GET", `${path}/notes`)).items.length, 3);
    await stream.close();
  });

  test("who is no agent any more when the note is stored writes none", async (t) => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_gone")];
    const { sessionId } = await app.newSession();
    const path = `apps/app_gone/sessions/${sessionId}/notes`;
    const { apps, storage } = world().portico.ctx;
    const find = apps.find.bind(apps);
    // Between the first look at the agent and the transaction.
    const removing = t.mock.method(apps, "find", async (appId: string) => {
      removing.mock.restore();
      await storage.write((tx) =>
        tx.deleteFrom("app_agents").where("app_id", "=", appId).where("user_id", "=", "u_alice").execute(),
      );
      return await find(appId);
    });
    assertRefused(await alice.call("POST", path, { text: "too late" }), 403, "400008");
    assert.deepEqual((await bob.ok("GET", path)).items, []);
  });

  test("blank, long and foreign calls are refused", async () => {
    const alice = await signIn();
    const { sessionId } = await client("app_notes").newSession();
    const path = `apps/app_notes/sessions/${sessionId}/notes`;
    for (const text of ["", " \u200b", TOO_LONG, null, undefined, 1, "a\0b", "\ud800"]) {
      assertRefused(await alice.call("POST", path, { text }), 400, "400006");
    }
    assertRefused(await alice.call("POST", path, { text: "x", clientNoteId: "" }), 400, "400006");
    for (const query of ["before=0", "before=x", "limit=101"]) {
      assertRefused(await alice.call("GET", `${path}?${query}`), 400, "400006");
    }
    const foreign = await client("app_bobs").newSession();
    for (const [method, body] of [["GET"], ["POST", { text: "x" }]] as const) {
      const of = (appId: string) => `apps/${appId}/sessions/${foreign.sessionId}/notes`;
      assertRefused(await alice.call(method, of("app_bobs"), body), 403, "400008", "不是该应用的客服");
      assertRefused(await alice.call(method, of("app_notes"), body), 404, "400300", "会话不存在");
    }
  });
});
