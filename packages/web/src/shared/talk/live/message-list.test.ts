import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ClientMessage } from "@portico/protocol/schemas";
import { newestPage, withChanges, withEarlier } from "./message-list.ts";

function message(msgSeq: number, text = `m${msgSeq}`): ClientMessage {
  return {
    messageId: 1_000 + msgSeq,
    msgSeq,
    msgType: "text",
    content: { text },
    sender: { type: "MEMBER", id: "u_alice", name: "Alice" },
    mentions: [],
    cardVersion: null,
    recalled: false,
    parentMessageId: null,
    createTime: msgSeq,
  };
}

const seqs = ({ messages }: { messages: readonly ClientMessage[] }) => messages.map(({ msgSeq }) => msgSeq);

describe("the messages of a conversation", () => {
  it("a page that begins at 1 is the whole conversation", () => {
    assert.equal(newestPage([message(1), message(2)]).hasEarlier, false);
    assert.equal(newestPage([message(7), message(8)]).hasEarlier, true);
    assert.equal(newestPage([]).hasEarlier, false);
  });

  it("an older page goes before, once even when it is read twice", () => {
    const list = withEarlier(newestPage([message(7), message(8)]), [message(4), message(6)]);
    assert.deepEqual(seqs(list), [4, 6, 7, 8]);
    assert.deepEqual(seqs(withEarlier(list, [message(4), message(6)])), [4, 6, 7, 8]);
    assert.equal(list.hasEarlier, true);
  });

  it("an empty older page is the beginning", () => {
    assert.equal(withEarlier(newestPage([message(7)]), []).hasEarlier, false);
  });

  it("new messages go to the end, a change goes to its message, one that came already changes nothing", () => {
    const list = newestPage([message(3), message(5), message(6)]);
    const changed = withChanges(list, [
      message(8),
      { ...message(5), recalled: true, content: null },
      message(8),
      message(9),
    ]);
    assert.deepEqual(seqs(changed), [3, 5, 6, 8, 9]);
    assert.equal(changed.messages[1]?.recalled, true);
    assert.equal(list.messages[1]?.recalled, false);
    assert.equal(changed.messages[0], list.messages[0]);
  });

  it("a change to a message that the page has not read yet is left to the reading", () => {
    assert.deepEqual(seqs(withChanges(newestPage([message(7)]), [message(2)])), [7]);
  });
});
