import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DeskSession } from "@portico/protocol/schemas";
import { APP, frame, ME, message, own, session } from "../../../test/support/made-up-sessions.ts";
import { unreadOf } from "../../shared/talk/live/unread-count.ts";
import { type Arrival, DeskState } from "./desk-state.ts";

function stateOf() {
  const arrivals: Arrival[] = [];
  const state = new DeskState(ME, (arrival) => arrivals.push(arrival));
  const ids = (all: readonly { session: { sessionId: number } }[]) => all.map((each) => each.session.sessionId);
  return {
    state,
    arrivals,
    read(waiting: DeskSession[], mine: DeskSession[]) {
      state.book.beginReading();
      return ids(state.takeApps([{ app: APP, lists: { waiting, own: mine } }]));
    },
    waiting: () => ids(state.book.waiting),
    mine: () => ids(state.book.own),
    told: () => state.notices.all.map(({ kind, conversation, by }) => [kind, conversation.session.sessionId, by]),
  };
}

describe("what an agent's desk knows", () => {
  it("an answer that is older than what the stream has told undoes nothing", () => {
    const { state, waiting, mine } = stateOf();
    state.takeApps([{ app: APP, lists: { waiting: [session(1), session(2)], own: [] } }]);
    state.book.beginReading();
    state.takeSession(frame(session(1, { status: "ACTIVE", agentId: "carol" }), "assigned"));
    // Of one that the page has never seen, too.
    state.takeSession(frame(session(3, { status: "CLOSED" }), "closed"));
    state.takeApps([{ app: APP, lists: { waiting: [session(1), session(2), session(3)], own: [] } }]);
    assert.deepEqual([waiting(), mine()], [[2], []]);
  });

  it("a new one stands at the end of the queue, one that went back where the service has it", () => {
    const { state, arrivals, read, waiting } = stateOf();
    read([session(4)], [own(2)]);
    assert.equal(state.takeSession(frame(session(5), "created")), "session");
    state.takeNews("app", session(5), false);
    assert.deepEqual(waiting(), [4, 5]);
    assert.deepEqual(
      arrivals.map(({ kind }) => kind),
      ["waiting"],
    );
    assert.equal(state.takeSession(frame(session(2), "transferred", "bob")), "lists");
    read([session(2), session(4), session(5)], []);
    assert.deepEqual(waiting(), [2, 4, 5]);
  });

  it("the agent is told of what was theirs and is not any more, but of nothing that they did themselves", () => {
    const { state, read, told, mine } = stateOf();
    read([], [own(1), own(2), own(3), own(4), own(5)]);
    state.takeSession(frame(session(1), "transferred", "bob"));
    state.takeSession(frame(own(2, { agentId: "carol", agentName: "Carol" }), "transferred", "bob"));
    state.takeSession(frame(own(3, { status: "CLOSED", closedBy: "v_3" }), "closed"));
    state.takeSession(frame(own(4, { status: "CLOSED", closedBy: "bob" }), "closed"));
    state.changing.add("app:5");
    state.takeSession(frame(own(5, { agentId: "carol" }), "transferred", "bob"));
    assert.deepEqual(mine(), []);
    assert.deepEqual(told(), [
      ["requeued", 1, null],
      ["reassigned", 2, null],
      ["closed", 3, null],
    ]);
  });

  it("what became of conversations while there was no stream is told by the lists, and by asking for the rest", () => {
    const { state, read, told, mine } = stateOf();
    read([], [own(1), own(2), own(3)]);
    assert.deepEqual(read([session(1)], [own(3)]), [2]);
    assert.deepEqual(mine(), [3]);
    state.takeNews("app", own(2, { status: "CLOSED", closedBy: "v_2" }), true);
    assert.deepEqual(told(), [
      ["requeued", 1, null],
      ["closed", 2, null],
    ]);
  });

  it("who is offline is not called to those who wait, but told of who was given to them", () => {
    const { state, read, arrivals } = stateOf();
    read([], []);
    state.takeAgent("app", { agentId: "bob", status: "OFFLINE", online: false });
    state.takeNews("app", session(1), false);
    state.takeNews("app", own(2), false);
    state.takeAgent("app", { agentId: "bob", status: "BUSY", online: false });
    state.takeNews("app", session(3), false);
    assert.deepEqual(
      arrivals.map(({ kind, conversation }) => [kind, conversation.session.sessionId]),
      [
        ["assigned", 2],
        ["waiting", 3],
      ],
    );
  });

  it("who has given a conversation is told, also when the page knew nothing of it", () => {
    const { state, read, told, arrivals } = stateOf();
    read([session(1)], []);
    assert.equal(state.takeSession(frame(own(7), "transferred", "carol")), "session");
    state.takeNews("app", own(7), false);
    state.takeSession(frame(own(1), "transferred", "carol"));
    assert.deepEqual(told(), [
      ["given", 7, "carol"],
      ["given", 1, "carol"],
    ]);
    assert.deepEqual(
      arrivals.map(({ kind }) => kind),
      ["assigned", "assigned"],
    );
  });

  it("the messages of the visitor are unread until they are read, here or on another page", () => {
    const { state, read } = stateOf();
    const unread = () => unreadOf(state.book.get("app:1")?.unread ?? assert.fail("it is known"));
    read([], [own(1)]);
    assert.equal(unread(), 1);
    state.book.takeMessage({ type: "message.created", appId: "app", message: message(1, 2) });
    state.book.takeMessage({ type: "message.created", appId: "app", message: message(1, 3, "AGENT") });
    assert.equal(unread(), 2);
    // An answer from before the mark.
    state.book.takeMark("app:1", 3);
    read([], [own(1, { lastSeq: 2, lastMessage: message(1, 2) })]);
    assert.equal(unread(), 0);
    state.book.takeMessage({ type: "message.created", appId: "app", message: message(1, 4) });
    assert.equal(unread(), 1);
    read([], [own(1, { lastSeq: 4, readSeq: 4, lastMessage: message(1, 4) })]);
    assert.equal(unread(), 0);
  });

  it("applications that are not the agent's any more are forgotten", () => {
    const { state, waiting, mine } = stateOf();
    state.takeApps([{ app: APP, lists: { waiting: [session(1)], own: [own(2)] } }]);
    state.book.beginReading();
    state.takeApps([]);
    assert.deepEqual([waiting(), mine(), state.apps], [[], [], []]);
  });
});
