import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { ApiRefusedError } from "@portico/protocol/client";
import type { DeskSession } from "@portico/protocol/schemas";
import { APP, ME, own, session } from "../../../test/support/made-up-sessions.ts";
import { DeskReader } from "./desk-reader.ts";
import { DeskState } from "./desk-state.ts";

const OTHER = { ...APP, appId: "other" };

/** A desk whose service answers as the test says. */
function readerOf(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const service = {
    own: [] as DeskSession[],
    waiting: [] as DeskSession[],
    session: async (_id: string): Promise<DeskSession> => assert.fail("nobody expects this"),
    takeFrames() {},
    isDown: false,
    asked: [] as string[],
  };
  const state = new DeskState(ME, () => {});
  const reader = new DeskReader(
    state,
    {
      async readApps(appIds) {
        service.asked.push(appIds === null ? "all" : [...appIds].join());
        if (service.isDown) throw new Error("down");
        const { waiting, own: mine } = service;
        const isWanted = (appId: string) => appIds === null || appIds.has(appId);
        return [
          { app: APP, lists: isWanted("app") ? { waiting, own: mine } : null },
          { app: OTHER, lists: isWanted("other") ? { waiting: [], own: [] } : null },
        ];
      },
      async readSession({ sessionId }) {
        service.asked.push(sessionId);
        return await service.session(sessionId);
      },
    },
    { takeFrames: () => service.takeFrames(), onChange() {} },
  );
  reader.open();
  t.after(() => reader.close());
  return {
    service,
    state,
    reader,
    told: () => state.notices.all.map(({ kind, conversation }) => [kind, conversation.session.sessionId]),
    /** Lets time pass, and what was begun in it go on. */
    async pass(ms: number) {
      now += ms;
      t.mock.timers.tick(ms);
      await settled();
    },
  };
}

/** What has been begun and waits for nothing else is over. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await null;
}

const refusal = (httpStatus: number) =>
  new ApiRefusedError({ code: "400300", message: "", reqNo: "r", httpStatus, retryAfterSeconds: undefined });

describe("reading the desk", () => {
  it("what became of one's own conversations is asked until it is known, however often that fails", async (t) => {
    const { service, reader, told, pass } = readerOf(t);
    service.own = [1, 2, 3, 4, 5, 6, 7].map((id) => own(id));
    await reader.refresh();
    service.own = [];
    service.session = async () => await Promise.reject(refusal(429));
    await reader.refresh();
    await settled();
    await pass(60_000);
    assert.deepEqual(told(), []);
    service.session = async (id) => own(Number(id), { agentId: "carol", agentName: "Carol" });
    await pass(60_000);
    assert.deepEqual(
      told().toSorted(),
      [1, 2, 3, 4, 5, 6, 7].map((id) => ["reassigned", id]),
    );
    service.asked.length = 0;
    await pass(600_000);
    assert.deepEqual(service.asked, [], "and then no more");
  });

  it("a conversation that is no one's any more is asked for once", async (t) => {
    const { service, reader, told, pass } = readerOf(t);
    service.own = [own(1)];
    await reader.refresh();
    service.own = [];
    service.session = async () => await Promise.reject(refusal(404));
    await reader.refresh();
    await settled();
    for (let minute = 0; minute < 10; minute++) await pass(60_000);
    assert.equal(service.asked.filter((each) => each === "1").length, 1);
    assert.deepEqual(told(), []);
  });

  it("what the stream tells of a conversation while it is read is newer than the answer", async (t) => {
    const { service, state, reader } = readerOf(t);
    await reader.refresh();
    const answers = [Promise.withResolvers<DeskSession>(), Promise.withResolvers<DeskSession>()];
    let asked = 0;
    service.session = (id) => answers[asked++]?.promise ?? assert.fail(`${id} is asked for once too often`);
    reader.readNews("app:3", false);
    service.takeFrames = () => {
      service.takeFrames = () => {};
      state.takeSession({
        type: "session.changed",
        appId: "app",
        session: own(3),
        change: "assigned",
        previousAgentId: null,
      });
    };
    answers[0]?.resolve(session(3));
    await settled();
    assert.deepEqual([asked, state.book.waiting.length], [2, 0], "the older answer is not taken");
    answers[1]?.resolve(own(3));
    await settled();
    const shown = state.book.own.map(({ id }) => id);
    assert.deepEqual([asked, shown], [2, ["app:3"]]);
  });

  it("one application's queue is read without the others'", async (t) => {
    const { service, state, reader, pass } = readerOf(t);
    await reader.refresh();
    service.waiting = [session(3)];
    reader.refreshSoon("app");
    reader.refreshSoon("app");
    await pass(1_000);
    assert.deepEqual(service.asked, ["all", "app"]);
    assert.deepEqual(
      state.book.waiting.map(({ id }) => id),
      ["app:3"],
    );
  });

  it("lists that could not be read are read again, ever more rarely, and all of them", async (t) => {
    const { service, reader, pass } = readerOf(t);
    await reader.refresh();
    service.isDown = true;
    reader.refreshSoon("app");
    await pass(1_000);
    assert.notEqual(reader.error, null);
    service.asked.length = 0;
    for (let second = 0; second < 60; second++) await pass(1_000);
    assert.deepEqual(new Set(service.asked), new Set(["all"]));
    assert.ok(service.asked.length >= 3 && service.asked.length <= 6, `${service.asked.length} tries in a minute`);
    service.isDown = false;
    for (let second = 0; second < 60; second++) await pass(1_000);
    assert.equal(reader.error, null);
  });
});
