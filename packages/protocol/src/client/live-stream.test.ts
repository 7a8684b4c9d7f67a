import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LiveStream, type StreamState } from "./live-stream.ts";
import { MEMBER_STREAM } from "./stream-kinds.ts";

describe("a live stream", () => {
  it("whose host refuses to connect at once tries again later", async () => {
    const states: StreamState[] = [];
    const timers: (() => void)[] = [];
    let tries = 0;
    const stream = new LiveStream({
      baseUrl: "https://chat.example.com",
      kind: MEMBER_STREAM,
      token: "token",
      connect: () => {
        tries++;
        throw new DOMException("refused by a policy", "SecurityError");
      },
      random: () => 0,
      after: (_delayMs, run) => {
        timers.push(run);
        return () => {};
      },
      onFrame: () => {},
      onState: (state) => states.push(state),
    });
    assert.equal(tries, 1);
    assert.equal(stream.state, "waiting");
    timers.at(-1)?.();
    assert.equal(tries, 2);
    assert.deepEqual(states, ["waiting", "connecting", "waiting"]);
    stream.close();
    assert.equal(stream.state, "ended");
  });
});
