import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "@portico/protocol/limits";
import { chooseFiles } from "./choose-files.ts";

/** A file of a size, without its bytes. */
function file(name: string, size = 1): File {
  const made = new File(["x"], name);
  Object.defineProperty(made, "size", { value: size });
  return made;
}

describe("attaching files", () => {
  it("tells of each that is left out, and why", () => {
    const huge = LIMITS.uploadFileBytes + 1;
    const given = [file("a"), file("big-1", huge), file("nothing", 0), file("big-2", huge), file("b")];
    const { files, leftOut } = chooseFiles([], given);
    assert.deepEqual(
      files.map(({ name }) => name),
      ["a", "b"],
    );
    assert.deepEqual(leftOut, [
      { name: "big-1", why: "tooLarge" },
      { name: "nothing", why: "empty" },
      { name: "big-2", why: "tooLarge" },
    ]);
  });

  it("takes as many as can wait beside a text, those attached before included", () => {
    const attached = Array.from({ length: 18 }, (_, index) => file(`${index}`));
    const { files, leftOut } = chooseFiles(attached, [file("last"), file("over")]);
    assert.equal(files.length, 19);
    assert.deepEqual(leftOut, [{ name: "over", why: "tooManyFiles" }]);
  });

  it("takes one of exactly the greatest size", () => {
    assert.equal(chooseFiles([], [file("full", LIMITS.uploadFileBytes)]).files.length, 1);
  });
});
