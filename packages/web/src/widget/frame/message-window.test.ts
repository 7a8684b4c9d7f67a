import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WidgetMessage } from "@portico/protocol/schemas";
import { type MessageWindow, MOST_HELD, newestOf, withEarlier, withNext } from "./message-window.ts";

function message(seq: number): WidgetMessage {
  return {
    messageId: seq,
    clientMessageId: null,
    sessionId: 1,
    visitorId: "v_ann",
    agentId: "bob",
    agentName: "Bob",
    senderType: "AGENT",
    msgType: "text",
    content: String(seq),
    seq,
    createdAt: 0,
  };
}

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => message(first + index));

function assertWithoutGaps({ messages }: MessageWindow): void {
  const [first = message(1)] = messages;
  assert.deepEqual(
    messages.map(({ seq }) => seq),
    messages.map((_, index) => first.seq + index),
  );
}

describe("the messages that are held", () => {
  it("never become more than the most, however many come, and stay without gaps", () => {
    let window = newestOf(from(1, 50));
    for (const next of from(51, 5_000)) {
      window = withNext(window, next);
      assert.ok(window.messages.length <= MOST_HELD);
    }
    assertWithoutGaps(window);
    assert.deepEqual([window.lastSeq, window.messages.at(-1)?.seq, window.hasEarlier], [5_000, 5_000, true]);
  });

  it("leave out a message that is known", () => {
    const window = newestOf(from(1, 3));
    assert.equal(withNext(window, message(3)), window);
  });

  it("let go of the newest while the visitor reads far back, and take up no later one until they return", () => {
    let window = newestOf(from(951, 1_000));
    while (window.hasEarlier) {
      const first = window.messages[0]?.seq ?? 1;
      window = withEarlier(window, from(Math.max(1, first - 50), first - 1));
      assert.ok(window.messages.length <= MOST_HELD);
    }
    assertWithoutGaps(window);
    assert.deepEqual([window.messages[0]?.seq, window.hasLater, window.lastSeq], [1, true, 1_000]);
    window = withNext(window, message(1_001));
    assert.deepEqual([window.messages.at(-1)?.seq, window.lastSeq], [MOST_HELD, 1_001]);
  });
});
