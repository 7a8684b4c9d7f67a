import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NoteHorizon } from "./note-horizon.ts";

describe("the horizon of notes", () => {
  it("rises to what was met so long ago that nothing below can come any more", () => {
    const horizon = new NoteHorizon();
    assert.equal(horizon.at(0), 0, "first all are looked at");
    horizon.folded(100, 10);
    horizon.folded(150, 10_000);
    assert.equal(horizon.at(15_000), 0);
    horizon.folded(200, 20_009);
    assert.equal(horizon.at(20_009), 0);
    horizon.folded(300, 20_010);
    assert.equal(horizon.at(20_010), 100);
    horizon.folded(0, 40_009);
    assert.equal(horizon.at(40_009), 100);
    horizon.folded(0, 40_010);
    assert.equal(horizon.at(40_010), 300);
  });

  it("falls when the database is one from a backup, whose ids are lower", () => {
    const horizon = new NoteHorizon();
    horizon.folded(100, 0);
    horizon.folded(0, 20_000);
    assert.equal(horizon.id, 100);
    horizon.folded(50, 20_100);
    assert.equal(horizon.id, 0);
    horizon.folded(60, 40_100);
    assert.equal(horizon.id, 50);
  });

  it("is left out once a minute", () => {
    const horizon = new NoteHorizon();
    horizon.at(0);
    horizon.folded(100, 0);
    horizon.folded(0, 20_000);
    assert.deepEqual([horizon.at(59_999), horizon.at(60_000), horizon.at(60_001)], [100, 0, 100]);
  });
});
