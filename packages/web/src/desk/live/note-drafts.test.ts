import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isWaiting, NoteDrafts } from "./note-drafts.ts";

const IN = { appId: "app", sessionId: "1" };

function drafts() {
  const saves: { body: { text: string; clientNoteId: string }; answer: PromiseWithResolvers<void> }[] = [];
  const notes = new NoteDrafts((_, body) => {
    const answer = Promise.withResolvers<void>();
    saves.push({ body, answer });
    return answer.promise;
  });
  return { notes, saves };
}

describe("notes that are not saved", () => {
  it("what is typed while a note is saved stays", async () => {
    const { notes, saves } = drafts();
    notes.write("v", "first");
    const saved = notes.submit("v", IN);
    assert.equal(notes.of("v").text, "");
    assert.equal(isWaiting(notes.of("v")), true);
    notes.write("v", "second");
    saves[0]?.answer.resolve();
    await saved;
    assert.equal(notes.of("v").text, "second");
    await Promise.all([notes.submit("v", IN), saves[1]?.answer.resolve()]);
    assert.deepEqual(
      saves.map(({ body }) => body.text),
      ["first", "second"],
    );
    assert.equal(isWaiting(notes.of("v")), false);
  });

  it("a note is saved once, however often it is given while it is being saved", async () => {
    const { notes, saves } = drafts();
    notes.write("v", "first");
    const saved = notes.submit("v", IN);
    notes.write("v", "first");
    await notes.submit("v", IN);
    assert.equal(saves.length, 1);
    saves[0]?.answer.resolve();
    await saved;
    assert.equal(isWaiting(notes.of("v")), true);
  });

  it("one whose answer was lost comes back and is the same note when it is given again", async () => {
    const { notes, saves } = drafts();
    notes.write("v", "first");
    const lost = notes.submit("v", IN);
    saves[0]?.answer.reject(new Error("lost"));
    await lost;
    assert.equal(notes.of("v").text, "first");
    assert.match(String(notes.of("v").error), /lost/);
    void notes.submit("v", IN);
    assert.deepEqual(saves[1]?.body, saves[0]?.body);
  });

  it("one that was changed after it failed is another, and the old one is not saved with it", async () => {
    const { notes, saves } = drafts();
    notes.write("v", "first");
    const lost = notes.submit("v", IN);
    saves[0]?.answer.reject(new Error("lost"));
    await lost;
    notes.write("v", "first, changed");
    void notes.submit("v", IN);
    assert.equal(saves.length, 2);
    assert.equal(saves[1]?.body.text, "first, changed");
    assert.notEqual(saves[1]?.body.clientNoteId, saves[0]?.body.clientNoteId);
  });

  it("one that failed after other words were typed is saved before them, as the same note", async () => {
    const { notes, saves } = drafts();
    notes.write("v", "first");
    const lost = notes.submit("v", IN);
    notes.write("v", "second");
    saves[0]?.answer.reject(new Error("lost"));
    await lost;
    assert.equal(notes.of("v").text, "second");
    assert.equal(notes.of("v").isTakenOut, true);
    const both = notes.submit("v", IN);
    assert.deepEqual(saves[1]?.body, saves[0]?.body);
    saves[1]?.answer.resolve();
    await new Promise(setImmediate);
    assert.equal(saves[2]?.body.text, "second");
    saves[2]?.answer.resolve();
    await both;
    assert.equal(isWaiting(notes.of("v")), false);
  });

  it("each visitor has a note of their own", () => {
    const { notes } = drafts();
    notes.write("v", "first");
    assert.equal(notes.of("w").text, "");
    notes.write("v", "");
    assert.equal(isWaiting(notes.of("v")), false);
  });
});
