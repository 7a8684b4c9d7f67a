import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import Database from "better-sqlite3";
import { pino } from "pino";
import { ReadingThread } from "./reading-thread.ts";

describe("the thread for long reads", () => {
  test("it ends when it has been idle, and the next query starts another", async (t) => {
    const dir = await mkdtemp(join(tmpdir(), "portico-reading-"));
    t.after(() => rm(dir, { recursive: true }));
    const path = join(dir, "test.db");
    const writer = new Database(path);
    t.after(() => writer.close());
    writer.exec("create table numbers (number integer); insert into numbers values (7)");
    const thread = new ReadingThread(path, pino({ level: "silent" }), undefined, 1);
    for (let time = 0; time < 2; time++) {
      const reads = [1, 2].map(() => thread.run("select number from numbers", []));
      for (const { rows } of await Promise.all(reads)) assert.deepEqual(rows, [{ number: 7 }]);
      while (thread.isRunning) await new Promise((resolve) => setImmediate(resolve));
    }
    const last = thread.run("select number from numbers", []);
    await last;
    await thread.close();
    assert.equal(thread.isRunning, false);
    await thread.close();
  });
});
