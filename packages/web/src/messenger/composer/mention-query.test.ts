import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { meantIn, mentionedIn, mentionQueryAt, withMention } from "./mention-query.ts";

const alice = { userId: "u_alice", name: "Alice", isBot: false };
const bob = { userId: "u_bob", name: "Bob", isBot: false };
const ann = { userId: "u_ann", name: "Ann", isBot: false };
const annLee = { userId: "u_lee", name: "Ann Lee", isBot: false };
const xiao = { userId: "u_xiao", name: "王小", isBot: false };
const bot = { userId: "app_demo", name: "Demo bot", isBot: true };

const idsIn = (text: string, ...chosen: (typeof bot)[]) => mentionedIn(text, chosen).map(({ userId }) => userId);

describe("mentioning somebody", () => {
  it("an @ begins a name, also right behind Chinese", () => {
    assert.deepEqual(mentionQueryAt("hi @al", 6), { start: 3, end: 6, typed: "al" });
    assert.deepEqual(mentionQueryAt("@", 1), { start: 0, end: 1, typed: "" });
    assert.deepEqual(mentionQueryAt("（@王", 3), { start: 1, end: 3, typed: "王" });
    assert.deepEqual(mentionQueryAt("请@小", 3), { start: 1, end: 3, typed: "小" });
    assert.deepEqual(mentionQueryAt("é@a", 3), { start: 1, end: 3, typed: "a" });
  });

  it("a name may have blanks in it", () => {
    assert.deepEqual(mentionQueryAt("@Demo b", 7), { start: 0, end: 7, typed: "Demo b" });
  });

  it("an address, what is no name, what follows a chosen name and another place in the text do not", () => {
    assert.equal(mentionQueryAt("a@b", 3), null);
    assert.equal(mentionQueryAt("at @ noon", 9), null);
    assert.equal(mentionQueryAt("@al\nx", 5), null);
    assert.equal(mentionQueryAt("@al  x", 6), null);
    assert.equal(mentionQueryAt("@Bob please", 11, [bob]), null);
    assert.equal(mentionQueryAt("x @al", 1), null);
  });

  it("the chosen name takes the place of what was typed", () => {
    const query = mentionQueryAt("hi @al there", 6);
    assert.ok(query);
    assert.deepEqual(withMention("hi @al there", query, "Alice"), { text: "hi @Alice  there", caret: 10 });
  });

  it("who was chosen and deleted again is not mentioned, nor whose name was edited into another", () => {
    assert.deepEqual(idsIn("@Alice hi", alice, bob, alice), ["u_alice"]);
    assert.deepEqual(idsIn("@Bobby hi", bob), []);
    assert.deepEqual(idsIn("@王小明 hi", xiao), []);
    assert.deepEqual(idsIn("a@Bob hi", bob), []);
    assert.deepEqual(idsIn("@Ann Lee hi", ann, annLee), ["u_lee"]);
    assert.deepEqual(idsIn("@Bob, @Alice.", bob, alice), ["u_bob", "u_alice"]);
  });

  it("a bot's full name that was not chosen may be meant", () => {
    assert.deepEqual(meantIn("hi @Demo bot!", [bot], []), [bot]);
    assert.deepEqual(meantIn("hi @Demo bot!", [bot], [bot]), []);
    assert.deepEqual(meantIn("hi @Demo bots, Demo bot", [bot], []), []);
  });
});
