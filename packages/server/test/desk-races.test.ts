import assert from "node:assert/strict";
import { acme } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DeskClient, sendHeartbeat, sweep } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import type { StreamClient } from "./support/stream-client.ts";
import { serviceApp, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const ROUNDS = 10;

onBothEngines("agents beside one another", (engine, test) => {
  const world = suiteWorld(
    engine,
    acme(
      customerApp("app_race"),
      customerApp("app_gone"),
      customerApp("app_both"),
      serviceApp("app_words", { owner: undefined, agents: ["alice"] }),
    ),
  );
  const client = (appId: string) => new CustomerClient(world, appId);
  const signIn = (userId = "u_alice") => DeskClient.signIn(world(), userId);

  test("of two agents who accept at once, at two processes, one wins, and the other's stream says who", async () => {
    const far = engine.name === "postgres" ? (await world().start()).url : world().url;
    const [alice, bob] = [await signIn(), await DeskClient.signIn(world(), "u_bob", far)];
    const streams = { alice: await alice.stream(), bob: await bob.stream() };
    for (let round = 0; round < ROUNDS; round++) {
      const { sessionId } = await client("app_race").newSession();
      const path = `apps/app_race/sessions/${sessionId}/accept`;
      const [first, second] = await Promise.all([alice.call("POST", path), bob.call("POST", path)]);
      const [winner, lost] = first.status === 200 ? ([first, second] as const) : ([second, first] as const);
      assertRefused(lost, 409, "400400", "分配客服失败");
      const { agentId } = winner.json.value;
      assert.equal(agentId, winner === first ? "alice" : "bob");
      const loser: StreamClient = winner === first ? streams.bob : streams.alice;
      const told = await loser.find(({ change, session }) => change === "assigned" && session.sessionId === sessionId);
      assert.equal(told.session.agentId, agentId);
    }
    const assigned = (await client("app_race").events()).filter(({ change }) => change === "assigned");
    assert.equal(assigned.length, ROUNDS, "each session is assigned once");
    for (const stream of Object.values(streams)) await stream.close();
  });

  test("an accept that meets a close or a transfer leaves one of them done, and the other refused or repeated", async () => {
    const [alice, bob] = [await signIn(), await signIn("u_bob")];
    for (let round = 0; round < ROUNDS; round++) {
      const { sessionId } = await client("app_both").newSession();
      const path = `apps/app_both/sessions/${sessionId}`;
      const [accepted, closed] = await Promise.all([
        alice.call("POST", `${path}/accept`),
        bob.call("POST", `${path}/close`, {}),
      ]);
      const { status, agentId, closedBy } = await bob.ok("GET", path);
      if (status === "CLOSED") {
        assert.deepEqual([closed.status, closedBy, agentId], [200, "bob", null]);
        assertRefused(accepted, 409, "400400");
      } else {
        assert.deepEqual([accepted.status, status, agentId], [200, "ACTIVE", "alice"]);
        assertRefused(closed, 403, "400008", "会话不属于当前客服");
      }
    }
  });

  test("when an agent's connection is cut, the session goes to another; the agent's next look says so", async () => {
    const [alice, bob, app] = [await signIn(), await signIn("u_bob"), client("app_gone")];
    const { portico, clock } = world();
    const cut = await alice.stream();
    await portico.ctx.presenceTracker.flush();
    await alice.choose("app_gone", "ONLINE");
    const { sessionId, visitorId } = await app.newSession();
    await cut.find(({ session }) => session?.sessionId === sessionId && session.agentId === "alice");
    cut.socket.terminate();
    await cut.closed;
    const bobs = await bob.stream();
    await portico.ctx.presenceTracker.flush();
    clock.turn(59_000);
    await sweep(portico);
    assert.equal((await bob.ok("GET", `apps/app_gone/sessions/${sessionId}`)).agentId, "alice", "not yet");
    clock.turn(1_000);
    await sweep(portico);
    const back = await bobs.find(({ change }) => change === "transferred");
    assert.deepEqual([back.session.status, back.session.agentId, back.previousAgentId], ["QUEUED", null, "alice"]);
    await sendHeartbeat(portico, "u_bob");
    await bob.choose("app_gone", "ONLINE");
    await app.value(app.post("message/send", { visitorId, content: "are you there?" }));
    assert.equal((await bobs.find(({ type }) => type === "message.created")).message.content, "are you there?");

    const again = await alice.stream();
    assert.deepEqual(await alice.ok("GET", "apps/app_gone/sessions?status=ACTIVE"), { items: [] });
    assert.equal((await alice.ok("GET", `apps/app_gone/sessions/${sessionId}`)).agentId, "bob");
    again.send({ type: "resume", afterSeq: { [visitorId]: 0 } });
    const refused = await again.find(({ type }) => type === "error");
    assert.deepEqual(refused.visitorIds, [visitorId], "what is another's is not resumed");
    for (const stream of [again, bobs]) await stream.close();
    await bob.choose("app_gone", "OFFLINE");
    await alice.choose("app_gone", "OFFLINE");
  });

  test("an integrator hears why a session was closed and what the visitor wrote with the rating", async () => {
    const [alice, app] = [await signIn(), client("app_words")];
    for (const [reason, comment] of [
      ["solved", "quick"],
      [null, " "],
    ]) {
      const widget = await WidgetClient.open(world(), "app_words", `c-${reason}`);
      const { sessionId } = await widget.say("hello");
      const path = `apps/app_words/sessions/${sessionId}`;
      await alice.ok("POST", `${path}/accept`);
      const from = (await app.events()).length;
      await alice.ok("POST", `${path}/close`, { reason });
      await widget.ok("rating", { rating: 5, comment });
      const words = (await app.events(from)).map(({ change, session, closeReason, ratingComment }) => [
        change,
        session.rating,
        closeReason,
        ratingComment,
      ]);
      const isSaid = reason !== null;
      assert.deepEqual(words, [
        ["closed", null, isSaid ? "solved" : undefined, undefined],
        ["rated", 5, undefined, isSaid ? "quick" : undefined],
      ]);
    }
  });
});
