import assert from "node:assert/strict";
import { Desk } from "../src/domain/customer-service/desk.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, fellow, ownedApp, stranger } from "./support/console.ts";
import { beAt, CustomerClient } from "./support/customer-acme.ts";
import { DeskClient } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { serviceApp, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const DAY_MS = 86_400_000;
const AGENTS = { agents: ["alice", "bob"] };

onBothEngines("figures of the desk", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      serviceApp("app_desk", AGENTS),
      serviceApp("app_empty"),
      serviceApp("app_busy", AGENTS),
      serviceApp("app_returns", AGENTS),
      ownedApp("app_bot"),
    ),
  );
  const stats = async (appId: string, query = "") =>
    await (await ConsoleClient.logIn(world(), fellow)).ok("GET", `apps/${appId}/desk-stats${query}`);

  test("an application without sessions has figures of nothing", async () => {
    const now = world().clock.now();
    assert.deepEqual(await stats("app_empty"), {
      from: now - 7 * DAY_MS,
      to: now,
      agents: [],
      queue: { waiting: 0, oldestWaitingSince: null },
      opened: 0,
      closed: 0,
      waitingSeconds: null,
      firstReplySeconds: null,
      handlingSeconds: null,
      ratings: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    });
  });

  test("a session that goes back to the queue has waited as long as both times together", async () => {
    const app = new CustomerClient(world, "app_returns");
    const { clock, portico } = world();
    const begin = clock.now();
    const { sessionId } = await app.newSession();
    clock.turn(10_000);
    await app.value(app.post("agent/assign", { sessionId, agentId: "alice" }));
    clock.turn(100_000);
    const place = { appId: "app_returns", now: clock.now(), afterCommit: () => {} };
    await portico.ctx.storage.write((tx) => new Desk(portico.ctx, tx, place).requeueAllOf("u_alice"));
    clock.turn(30_000);
    await app.value(app.post("agent/assign", { sessionId, agentId: "alice" }));
    await app.value(app.post("session/close", { sessionId }));
    const { waitingSeconds } = await stats("app_returns", `?from=${begin}&to=${clock.now() + 1}`);
    assert.deepEqual(waitingSeconds, { p50: 40, p90: 40 });
  });

  test("they tell who is there, who waits, and what became of the sessions closed in the range", async () => {
    const [app, alice] = [new CustomerClient(world, "app_desk"), await DeskClient.signIn(world(), "u_alice")];
    const { clock } = world();
    const seconds = (count: number) => clock.turn(count * 1_000);
    const begin = clock.now();
    /** A session that waits 10 s, is answered 5 s later, and is closed 45 s after that. */
    const serve = async (stars: number | null) => {
      const widget = await WidgetClient.open(world(), "app_desk", `c-${Math.random()}`);
      const { sessionId } = await widget.say("hello");
      const path = `apps/app_desk/sessions/${sessionId}`;
      seconds(10);
      await alice.ok("POST", `${path}/accept`);
      seconds(5);
      await alice.ok("POST", `${path}/messages`, { content: "hi" });
      seconds(15);
      // The first agent counts for the waiting time, the last one for the rest.
      await alice.ok("POST", `${path}/transfer`, { agentId: "bob" });
      seconds(30);
      await app.value(app.post("session/close", { sessionId }));
      if (stars !== null) await widget.ok("rating", { rating: stars });
    };
    await serve(5);
    await serve(4);
    await serve(null);
    const closedUnanswered = await app.newSession();
    await app.value(app.post("session/close", { sessionId: closedUnanswered.sessionId }));
    const end = clock.now() + 1;
    seconds(10);
    const since = clock.now();
    await app.newSession();
    await app.newSession();
    await app.newSession({ agentId: "alice" });
    await beAt(world(), "app_desk", "u_bob", { status: "BUSY", max: 3 });
    const shown = await stats("app_desk", `?from=${begin}&to=${end}`);
    const none = { handled: 0, firstReplySeconds: null, handlingSeconds: null, rating: { average: null, count: 0 } };
    assert.deepEqual(shown, {
      from: begin,
      to: end,
      agents: [
        {
          agentId: "alice",
          agentName: "Alice",
          status: "OFFLINE",
          online: false,
          maxSessions: 10,
          activeSessions: 1,
          ...none,
        },
        {
          agentId: "bob",
          agentName: "Bob",
          status: "BUSY",
          online: false,
          maxSessions: 3,
          activeSessions: 0,
          handled: 3,
          firstReplySeconds: { p50: 15, p90: 15 },
          handlingSeconds: { p50: 50, p90: 50 },
          rating: { average: 4.5, count: 2 },
        },
      ],
      queue: { waiting: 2, oldestWaitingSince: since },
      opened: 4,
      closed: 4,
      waitingSeconds: { p50: 10, p90: 10 },
      firstReplySeconds: { p50: 15, p90: 15 },
      handlingSeconds: { p50: 50, p90: 50 },
      ratings: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 1 },
    });
    const before = await stats("app_desk", `?from=${begin - DAY_MS}&to=${begin}`);
    assert.deepEqual([before.opened, before.closed, before.waitingSeconds], [0, 0, null]);
    assert.equal((await stats("app_desk")).opened, 4, "a session opened just now is not before now");
  });

  test("many sessions are all counted, also of the same moment", async () => {
    const { storage } = world().portico.ctx;
    const visitorId = await new CustomerClient(world, "app_busy").newVisitor();
    const [from, count] = [1_000_000_000_000, 4_500];
    const row = (n: number) => ({
      app_id: "app_busy",
      visitor_id: visitorId,
      status: "CLOSED" as const,
      agent_user_id: n % 3 === 0 ? "u_alice" : "u_bob",
      source: "api",
      subject: "",
      queued_at: from,
      created_at: from,
      assigned_at: from + 2_000,
      first_assigned_at: n % 2 === 0 ? from + 1_000 : null,
      first_reply_at: null,
      closed_at: from + 10_000 + Math.floor(n / 4_000),
      closed_by: null,
      close_reason: null,
      rating: (n % 5) + 1,
      rating_comment: null,
      first_seq: null,
      last_seq: null,
      version: 1,
    });
    await storage.write(async (tx) => {
      for (let first = 0; first < count; first += 500) {
        const rows = Array.from({ length: 500 }, (_, n) => row(first + n));
        await tx.insertInto("customer_sessions").values(rows).execute();
      }
    });
    const { opened, closed, waitingSeconds, ratings, agents } = await stats(
      "app_busy",
      `?from=${from}&to=${from + DAY_MS}`,
    );
    assert.deepEqual([opened, closed, waitingSeconds], [count, count, { p50: 1, p90: 2 }]);
    assert.deepEqual(ratings, { 1: 900, 2: 900, 3: 900, 4: 900, 5: 900 });
    assert.deepEqual(
      agents.map(({ handled }: { handled: number }) => handled),
      [1_500, 3_000],
    );
  });

  test("wrong ranges, other developers and other applications are refused", async () => {
    const owner = await ConsoleClient.logIn(world());
    const path = "apps/app_desk/desk-stats";
    assertConsoleRefused(await owner.get(`${path}?from=2&to=1`), 400);
    assertConsoleRefused(await owner.get(`${path}?from=0&to=${31 * DAY_MS + 1}`), 400, "统计区间不能超过31天");
    await owner.ok("GET", `${path}?from=0&to=${31 * DAY_MS}`);
    assertConsoleRefused(await owner.get(`${path}?from=x`), 400, /from/);
    assertConsoleRefused(await (await ConsoleClient.logIn(world(), stranger)).get(path), 404);
    assertConsoleRefused(await owner.get("apps/app_bot/desk-stats"), 409, "只有CUSTOMER_SERVICE类型的应用有客服");
  });
});
