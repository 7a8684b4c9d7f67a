import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import Database from "better-sqlite3";
import { CheckpointThread } from "./checkpoint-thread.ts";
import type { Checkpoint } from "./checkpoint-worker.ts";

async function databaseIn(t: TestContext): Promise<{ path: string; writer: Database.Database }> {
  const dir = await mkdtemp(join(tmpdir(), "portico-checkpoint-"));
  t.after(() => rm(dir, { recursive: true }));
  const path = join(dir, "test.db");
  const writer = new Database(path);
  t.after(() => writer.close());
  writer.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table numbers (number integer)");
  return { path, writer };
}

describe("the thread for checkpoints", () => {
  test("it starts with the first one, ends when it has been idle, and the next one starts another", async (t) => {
    const { path, writer } = await databaseIn(t);
    let heard = Promise.withResolvers<Checkpoint>();
    const failed = (error: unknown) => heard.reject(error);
    const listener = { done: (one: Checkpoint) => heard.resolve(one), failed, endedBadly: failed };
    const thread = new CheckpointThread(path, listener, { idleMs: 1 });
    assert.equal(thread.isRunning, false);
    for (let time = 0; time < 2; time++) {
      heard = Promise.withResolvers();
      writer.exec("insert into numbers values (7)");
      thread.begin();
      const { pages, failure } = await heard.promise;
      assert.equal(failure, null);
      assert.ok(pages > 0);
      while (thread.isRunning) await new Promise((resolve) => setImmediate(resolve));
    }
    thread.begin();
    await thread.close();
    assert.equal(thread.isRunning, false);
    await thread.close();
  });

  test("one that fails is reported once, and no other is started for a while", async (t) => {
    const { path } = await databaseIn(t);
    const failed = Promise.withResolvers<unknown>();
    const failures: unknown[] = [];
    const thread = new CheckpointThread(`${path}.none/test.db`, {
      done: () => assert.fail("there is no such database"),
      failed: (error) => {
        failures.push(error);
        failed.resolve(error);
      },
      endedBadly: () => assert.fail("it never began"),
    });
    assert.equal(thread.begin(), true);
    assert.match(String(await failed.promise), /unable to open|directory does not exist/);
    assert.equal(thread.begin(), false);
    assert.equal(thread.isRunning, false);
    await thread.close();
    assert.equal(failures.length, 1);
  });

  test("after a while another is started, and copies", async (t) => {
    const { path, writer } = await databaseIn(t);
    const moved = `${path}.moved`;
    const heard: unknown[] = [];
    let hears = Promise.withResolvers<void>();
    const hear = (what: unknown) => {
      heard.push(what);
      hears.resolve();
    };
    const listener = { done: hear, failed: hear, endedBadly: hear };
    const thread = new CheckpointThread(moved.replace("test.db", "none/test.db"), listener, { retryMs: 0 });
    thread.begin();
    await hears.promise;
    assert.ok(heard[0] instanceof Error);
    await mkdir(join(path, "..", "none"));
    writer.exec(`vacuum into '${moved.replace("test.db", "none/test.db")}'`);
    hears = Promise.withResolvers();
    assert.equal(thread.begin(), true);
    await hears.promise;
    assert.equal((heard[1] as Checkpoint).failure, null);
    await thread.close();
  });
});
