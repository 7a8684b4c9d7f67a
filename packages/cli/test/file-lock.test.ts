import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withLock } from "../src/file-lock.ts";

async function makeDirectory() {
  const directory = await mkdtemp(join(tmpdir(), "portico-lock-"));
  const path = join(directory, "lock");
  return {
    directory,
    path,
    /** A lock left behind by a process that died. */
    async leave(holder: { pid: number; host: string }, heldSince = new Date()) {
      await mkdir(path);
      await writeFile(join(path, "left"), JSON.stringify(holder));
      await utimes(join(path, "left"), heldSince, heldSince);
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

test("a contended lock has one holder at a time, and leaves no files behind", async () => {
  await using place = await makeDirectory();
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await readdir(place.directory);
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, () => withLock(place.path, work)));
  assert.equal(most, 1);
  assert.deepEqual(await readdir(place.directory), []);
});

test("the lock is released when the work fails", async () => {
  await using place = await makeDirectory();
  const failing = () => Promise.reject(new Error("no"));
  await assert.rejects(withLock(place.path, failing), /^Error: no$/);
  assert.equal(await withLock(place.path, async () => "done"), "done");
});

test("of many waiting processes one breaks the lock of a dead holder, and one at a time holds it", async () => {
  await using place = await makeDirectory();
  await place.leave({ pid: await deadProcess(), host: hostname() });
  let inside = 0;
  const work = async () => {
    assert.equal(++inside, 1);
    await readdir(place.directory);
    inside--;
  };
  await Promise.all(Array.from({ length: 10 }, () => withLock(place.path, work)));
  assert.deepEqual(await readdir(place.directory), []);
});

test("a lock of another machine is broken when it is older than any work can take", async () => {
  await using place = await makeDirectory();
  await place.leave({ pid: process.pid, host: "elsewhere" }, new Date(Date.now() - 61_000));
  assert.equal(await withLock(place.path, async () => "done"), "done");
});

test("a process waits for a lock that is held", async () => {
  await using place = await makeDirectory();
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = withLock(place.path, async () => {
    order.push("first begins");
    await promise;
    order.push("first ends");
  });
  while (order.length === 0) await readdir(place.directory);
  const second = withLock(place.path, async () => void order.push("second"));
  await readdir(place.directory);
  resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order, ["first begins", "first ends", "second"]);
});

test("if no lock can be created, the error says so", async () => {
  await using place = await makeDirectory();
  const path = join(place.directory, "absent", "lock");
  const never = () => Promise.reject(new Error("the work was begun"));
  await assert.rejects(withLock(path, never), /^FailureError: cannot lock .*absent\/lock: ENOENT$/);
});
