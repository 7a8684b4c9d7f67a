import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Typing } from "./typing.ts";

describe("telling that the agent types", () => {
  it("is done now and then, at once after a message, and again where it was lost", (t) => {
    let now = 0;
    t.mock.method(performance, "now", () => now);
    const typing = new Typing(() => {});
    const told: number[] = [];
    let isLive = true;
    const types = (sessionId: number) =>
      typing.agentTypes(sessionId, () => {
        if (isLive) told.push(sessionId);
        return isLive;
      });
    types(1);
    types(1);
    assert.deepEqual(told, [1]);
    types(2);
    assert.deepEqual(told, [1, 2], "another visitor has been told nothing");
    typing.agentSent();
    types(2);
    assert.deepEqual(told, [1, 2, 2]);
    now += 10_000;
    isLive = false;
    types(2);
    isLive = true;
    types(2);
    assert.deepEqual(told, [1, 2, 2, 2]);
  });
});
