import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mentionedIn, mentionQueryAt, withMention } from "./mention-query.ts";

describe("mentioning somebody", () => {
  it("an @ at the beginning of a word begins a name", () => {
    assert.deepEqual(mentionQueryAt("hi @al", 6), { start: 3, end: 6, prefix: "al" });
    assert.deepEqual(mentionQueryAt("@", 1), { start: 0, end: 1, prefix: "" });
    assert.deepEqual(mentionQueryAt("（@王", 3), { start: 1, end: 3, prefix: "王" });
  });

  it("an address, a blank after the name and another place in the text do not", () => {
    assert.equal(mentionQueryAt("a@b", 3), null);
    assert.equal(mentionQueryAt("@al ", 4), null);
    assert.equal(mentionQueryAt("x @al", 1), null);
  });

  it("the chosen name takes the place of what was typed", () => {
    const query = mentionQueryAt("hi @al there", 6);
    assert.ok(query);
    assert.deepEqual(withMention("hi @al there", query, "Alice"), { text: "hi @Alice  there", caret: 10 });
  });

  it("who was chosen and deleted again is not mentioned", () => {
    const alice = { userId: "u_alice", name: "Alice", isBot: false };
    const bob = { userId: "u_bob", name: "Bob", isBot: false };
    assert.deepEqual(mentionedIn("@Alice hi", [alice, bob, alice]), ["u_alice"]);
  });
});
