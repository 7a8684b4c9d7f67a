import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ClientMessage, Conversation } from "@portico/protocol/schemas";
import { ConversationBook } from "./conversation-book.ts";

function message(msgSeq: number, sender = "u_bob"): ClientMessage {
  return {
    messageId: 1_000 + msgSeq,
    msgSeq,
    msgType: "text",
    content: { text: `m${msgSeq}` },
    sender: { type: "MEMBER", id: sender, name: sender },
    mentions: [],
    cardVersion: null,
    recalled: false,
    parentMessageId: null,
    createTime: msgSeq,
  };
}

function conversation(id: string, lastSeq: number, others: Partial<Conversation> = {}): Conversation {
  const lastMessage = lastSeq === 0 ? null : message(lastSeq);
  return {
    conversationId: id,
    chatType: "group",
    name: id,
    lastMessage,
    lastSeq,
    readSeq: 0,
    unreadCount: 0,
    ...others,
  };
}

const created = (conversationId: string, msgSeq: number, sender?: string) =>
  ({ type: "message.created", conversationId, msgSeq, message: message(msgSeq, sender) }) as const;

function bookOf(...items: Conversation[]): ConversationBook {
  const book = new ConversationBook("u_alice");
  book.takeList(items);
  return book;
}

describe("the conversations as the page knows them", () => {
  it("an answer that is older than the frames undoes nothing", () => {
    const book = bookOf(conversation("a", 10, { readSeq: 10 }));
    book.takeFrame(created("a", 11));
    book.takeFrame(created("a", 12));
    book.takeList([conversation("a", 10, { readSeq: 10, name: "renamed" })]);
    const { lastSeq, lastMessage, unreadCount, name } = book.get("a") ?? assert.fail();
    assert.deepEqual([lastSeq, lastMessage?.msgSeq, unreadCount, name], [12, 12, 2, "renamed"]);
  });

  it("an answer that is newer than the frames is not counted again by them", () => {
    const book = bookOf(conversation("a", 10, { readSeq: 10 }));
    book.takeList([conversation("a", 12, { readSeq: 10, unreadCount: 2 })]);
    book.takeFrame(created("a", 11));
    book.takeFrame(created("a", 12));
    book.takeFrame(created("a", 13));
    assert.equal(book.get("a")?.unreadCount, 3);
  });

  it("one's own messages are not unread, those of a bot with the same id are", () => {
    const book = bookOf(conversation("a", 0));
    book.takeFrame(created("a", 1, "u_alice"));
    assert.equal(book.get("a")?.unreadCount, 0);
    const frame = created("a", 2);
    book.takeFrame({ ...frame, message: { ...frame.message, sender: { type: "BOT", id: "u_alice", name: "x" } } });
    assert.equal(book.get("a")?.unreadCount, 1);
  });

  it("the mark of this page is not undone by an answer from before it", () => {
    const book = bookOf(conversation("a", 10, { readSeq: 4, unreadCount: 6 }));
    assert.equal(book.takeMark("a", 10), false);
    book.takeList([conversation("a", 10, { readSeq: 4, unreadCount: 6 })]);
    assert.deepEqual([book.get("a")?.readSeq, book.get("a")?.unreadCount], [10, 0]);
  });

  it("what is said brings a conversation to the top; the others stay the same objects in their order", () => {
    const names = ["d", "c", "b", "a"];
    const book = bookOf(...names.map((name, index) => conversation(name, index)));
    const before = book.listed;
    assert.deepEqual(
      before.map(({ name }) => name),
      ["a", "b", "c", "d"],
    );
    book.takeFrame(created("c", 9));
    const after = book.listed;
    assert.deepEqual(
      after.map(({ name }) => name),
      ["c", "a", "b", "d"],
    );
    assert.equal(after[1], before[0]);
    assert.equal(book.listed, after);
  });

  it("tells which conversations are new and which are gone", () => {
    const book = bookOf(conversation("a", 1), conversation("b", 1));
    const { added, gone } = book.takeList([conversation("b", 1), conversation("c", 1)]);
    assert.deepEqual(
      added.map(({ name }) => name),
      ["c"],
    );
    assert.deepEqual(gone, ["a"]);
    assert.equal(book.get("a"), undefined);
  });
});
