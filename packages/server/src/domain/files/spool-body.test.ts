import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, describe, test } from "node:test";
import { spoolBody } from "./spool-body.ts";
import type { UploadSlot } from "./temporary-files.ts";
import type { IncomingUpload } from "./upload-pace.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-spool-"));
after(() => rmSync(folder, { recursive: true }));

const MAX_BYTES = 1_000;

/** A slot whose owner is to rest for so long after each piece. */
function slotOf(restsMs: number[]) {
  const bodyPath = join(folder, `${Math.random()}`);
  const watched: IncomingUpload[] = [];
  const slot: UploadSlot = {
    bodyPath,
    filePath: `${bodyPath}-file`,
    watch: (upload) => {
      watched.push(upload);
      return { brought: () => {}, end: () => {} };
    },
    restAfter: () => restsMs.shift() ?? 0,
    room: { take: () => true, wrote: () => true },
    release: async () => {},
  };
  return { slot, isHeldUp: () => watched[0]?.isHeldUp() };
}

describe("a body that comes faster than its sender may send", () => {
  test("is not read for as long as it is told; nobody blames its sender meanwhile", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const request = new PassThrough();
    const { slot, isHeldUp } = slotOf([0, 500, 0]);
    const spooled = spoolBody(request, slot, MAX_BYTES);
    const pieces: number[] = [];
    request.on("data", ({ length }: Buffer) => pieces.push(length));
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (const piece of ["a", "bb", "ccc"]) {
      request.write(piece);
      await turn();
    }
    request.end();
    assert.deepEqual(pieces, [1, 2]);
    assert.equal(isHeldUp(), true);
    t.mock.timers.tick(499);
    await turn();
    assert.deepEqual(pieces, [1, 2]);
    t.mock.timers.tick(1);
    await turn();
    assert.deepEqual(pieces, [1, 2, 3]);
    assert.equal(isHeldUp(), false);
    assert.equal((await spooled).bodyLength, 6);
    assert.equal(readFileSync(slot.bodyPath, "utf8"), "abbccc");
  });
  test("and is cut off meanwhile leaves no timer that reads on", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const request = new PassThrough();
    const { slot } = slotOf([500]);
    const spooled = spoolBody(request, slot, MAX_BYTES);
    request.write("a");
    await new Promise((resolve) => setImmediate(resolve));
    request.destroy();
    await assert.rejects(spooled, { name: "RequestAborted" });
    t.mock.timers.tick(500);
    assert.equal(request.isPaused(), true);
  });

  test("and is cut off while some of it is being written: the reason is that it was cut off", async () => {
    for (let turns = 0; turns < 40; turns++) {
      const request = new PassThrough();
      const spooled = spoolBody(request, slotOf([]).slot, MAX_BYTES);
      request.write("a");
      for (let turn = 0; turn < turns % 8; turn++) await new Promise((resolve) => setImmediate(resolve));
      request.write("b");
      request.destroy();
      await assert.rejects(spooled, { name: "RequestAborted" });
    }
  });
});
