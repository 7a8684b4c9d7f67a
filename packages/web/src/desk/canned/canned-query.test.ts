import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cannedQueryAt, filledIn, fittingReplies, withReply } from "./canned-query.ts";

const reply = (shortcut: string, text = "") => ({ replyId: shortcut, shortcut, text, updatedBy: null, updatedAt: 0 });

describe("canned replies", () => {
  it("a slash at the beginning of a word begins a shortcut, one inside a word does not", () => {
    assert.deepEqual(cannedQueryAt("/", 1), { start: 0, end: 1, prefix: "" });
    assert.deepEqual(cannedQueryAt("Hello /than", 11), { start: 6, end: 11, prefix: "than" });
    assert.deepEqual(cannedQueryAt("您好 /谢", 5), { start: 3, end: 5, prefix: "谢" });
    assert.equal(cannedQueryAt("https://a", 9), null);
    assert.equal(cannedQueryAt("and/or", 6), null);
    assert.equal(cannedQueryAt("/than ks", 8), null);
  });

  it("those whose shortcut begins so come before those that only say it", () => {
    const replies = [reply("refund", "Thank you"), reply("thanks"), reply("bye")];
    assert.deepEqual(
      fittingReplies(replies, "Thank").map(({ shortcut }) => shortcut),
      ["thanks", "refund"],
    );
    assert.equal(fittingReplies(replies, "").length, 3);
  });

  it("placeholders are filled in once, whatever the visitor is called", () => {
    const blanks = { visitor: "$& {{agent.name}}", agent: "Bob", app: "Shop" };
    assert.equal(
      filledIn("Hi {{visitor.nickname}}, {{ agent.name }} of {{app.name}}. {{toString}}", blanks),
      "Hi $& {{agent.name}}, Bob of Shop. {{toString}}",
    );
  });

  it("who has no name is called by none", () => {
    const blanks = { visitor: "", agent: "Bob", app: "Shop" };
    assert.equal(filledIn("Hello {{visitor.nickname}}, I am {{agent.name}}.", blanks), "Hello, I am Bob.");
    assert.equal(filledIn("{{visitor.nickname}}您好，\n{{visitor.nickname}}", blanks), "您好，\n");
  });

  it("a reply takes the place of what was typed", () => {
    assert.deepEqual(withReply("Hello /th and", { start: 6, end: 9, prefix: "th" }, "Thank you"), {
      text: "Hello Thank you and",
      caret: 15,
    });
  });
});
