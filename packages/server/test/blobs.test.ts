import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, describe, type TestContext, test } from "node:test";
import { inspect } from "node:util";
import type { Blobs } from "../src/platform/blobs/blobs.ts";
import { openDiskBlobs } from "../src/platform/blobs/disk.ts";
import { openS3Blobs } from "../src/platform/blobs/s3.ts";
import { collectGarbage } from "./support/memory.ts";
import { openFilesIn } from "./support/open-files.ts";
import { startS3Server } from "./support/s3-server.ts";

const MIB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), "portico-blobs-"));
const root = join(folder, "blobs");
const disk = await openDiskBlobs(root);
const server = await startS3Server();
const s3 = await openS3Blobs(server);
after(async () => {
  await disk.close();
  await s3.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const newKey = () => randomBytes(16).toString("hex");

function newFile(content: string | Buffer): string {
  const path = join(folder, newKey());
  writeFileSync(path, content);
  return path;
}

async function putNew(blobs: Blobs, content: string | Buffer): Promise<string> {
  const key = newKey();
  await blobs.put(key, newFile(content), Buffer.byteLength(content));
  return key;
}

async function read(blobs: Blobs, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  const stream = await blobs.get(key, range);
  assert.ok(stream !== null, "there is such a blob");
  return await buffer(stream);
}

/** Reads the first bytes of a stream and destroys it. */
async function abandon(stream: Readable | null): Promise<void> {
  assert.ok(stream !== null);
  await once(stream, "readable");
  stream.read();
  stream.destroy();
  await once(stream, "close");
}

/** Closing is asynchronous; a leaked file stays open. */
async function assertNothingOpen(t: TestContext): Promise<void> {
  await t.waitFor(() => assert.deepEqual(openFilesIn(folder), []));
}

/** Without the garbage, which says only when it was last collected. */
function bufferBytesInUse(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** The peak memory outside the heap (buffers) that is in use while `work` runs. */
async function peakBufferBytes(work: () => Promise<unknown>): Promise<number> {
  const before = bufferBytesInUse();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, bufferBytesInUse());
  }, 100);
  await work().finally(() => clearInterval(timer));
  return peak - before;
}

for (const [where, blobs] of [
  ["disk", disk],
  ["s3", s3],
] as const) {
  describe(`blobs on ${where}`, () => {
    test("a stored blob is returned, and the source file is gone", async () => {
      const key = newKey();
      const path = newFile("content");
      await blobs.put(key, path, 7);
      assert.equal(String(await read(blobs, key)), "content");
      assert.ok(!existsSync(path));
    });
    for (const [what, start, end, expected] of [
      ["the first byte", 0, 0, "0"],
      ["the middle", 3, 6, "3456"],
      ["the last byte", 9, 9, "9"],
      ["everything", 0, 9, "0123456789"],
    ] as const) {
      test(`a range returns ${what}`, async () => {
        const key = await putNew(blobs, "0123456789");
        assert.equal(String(await read(blobs, key, { start, end })), expected);
      });
    }
    for (const [start, end] of [
      [1, 0],
      [-1, 1],
      [0, Number.NaN],
      [0.5, 1],
    ] as const) {
      test(`bytes ${start} to ${end} are refused`, async () => {
        const key = await putNew(blobs, "0123456789");
        await assert.rejects(blobs.get(key, { start, end }), RangeError);
      });
    }
    test("an unknown blob is null, whole or in part", async () => {
      assert.equal(await blobs.get(newKey()), null);
      assert.equal(await blobs.get(newKey(), { start: 0, end: 1 }), null);
    });
    test("a deleted blob is gone, and deleting it again is no error", async () => {
      const key = await putNew(blobs, "content");
      await blobs.delete(key);
      assert.equal(await blobs.get(key), null);
      await blobs.delete(key);
    });
    test("putting a key again replaces its blob", async () => {
      const key = await putNew(blobs, "old and long");
      await blobs.put(key, newFile("new"), 3);
      assert.equal(String(await read(blobs, key)), "new");
    });
    test("a blob may be empty", async () => {
      const key = await putNew(blobs, "");
      assert.equal((await read(blobs, key)).length, 0);
    });
    test("concurrent puts do not mix their blobs", async () => {
      const contents = Array.from({ length: 40 }, (_, index) => randomBytes(1 + index * 1_000));
      const keys = await Promise.all(contents.map((content) => putNew(blobs, content)));
      const found = await Promise.all(keys.map((key) => read(blobs, key)));
      assert.deepEqual(found, contents);
    });
    test("25 MiB are returned byte for byte", async () => {
      const content = randomBytes(25 * MIB);
      const stream = await blobs.get(await putNew(blobs, content));
      assert.ok(stream !== null);
      const hash = createHash("sha256");
      for await (const chunk of stream) hash.update(chunk);
      assert.equal(hash.digest("hex"), createHash("sha256").update(content).digest("hex"));
    });
    test("putting 200 MiB needs much less memory", async () => {
      const key = newKey();
      const path = newFile("");
      truncateSync(path, 200 * MIB);
      const peak = await peakBufferBytes(() => blobs.put(key, path, 200 * MIB));
      assert.ok(peak < 50 * MIB, `${peak} bytes`);
      await blobs.delete(key);
    });
    test("a file whose length differs from the announced one is refused", async (t) => {
      const key = newKey();
      for (const size of [0, 6, 8]) await assert.rejects(blobs.put(key, newFile("content"), size), /7/);
      assert.equal(await blobs.get(key), null);
      await assertNothingOpen(t);
    });
    test("a file that is not there is an error", async () => {
      await assert.rejects(blobs.put(newKey(), join(folder, "missing"), 0), { code: "ENOENT" });
    });
    for (const key of [
      "",
      "..",
      "../x",
      "a/b",
      "../../../../etc/passwd",
      "0123456789abcde",
      "0123456789ABCDEF",
      "0123456789abcdef\n",
      "0123456789abcde\0",
      "0123456789abcde/",
      "0123456789abcdé",
      "a".repeat(65),
    ]) {
      test(`${JSON.stringify(key)} is not a valid key`, async () => {
        const path = newFile("content");
        await assert.rejects(blobs.put(key, path, 7), /key/);
        await assert.rejects(blobs.get(key), /key/);
        await assert.rejects(blobs.delete(key), /key/);
        assert.ok(existsSync(path));
      });
    }
    test("abandoned streams leave nothing open", async (t) => {
      const key = await putNew(blobs, randomBytes(8 * MIB));
      for (let round = 0; round < 20; round++) await abandon(await blobs.get(key));
      await assertNothingOpen(t);
    });
  });
}

describe("blobs on disk", () => {
  test("only the service can access files and directories", async () => {
    const key = await putNew(disk, "content");
    const mode = (path: string) => statSync(path).mode & 0o777;
    assert.equal(mode(root), 0o700);
    assert.equal(mode(join(root, key.slice(0, 2))), 0o700);
    assert.equal(mode(join(root, key.slice(0, 2), key)), 0o600);
  });
  test("a blob survives a restart of the store", async () => {
    const key = await putNew(disk, "content");
    assert.equal(String(await read(await openDiskBlobs(root), key)), "content");
  });
  test("a blob deleted during a read is read to its end", async () => {
    const key = await putNew(disk, randomBytes(MIB));
    const stream = await disk.get(key);
    await disk.delete(key);
    assert.ok(stream !== null);
    assert.equal((await buffer(stream)).length, MIB);
  });
  const elsewhere = "/dev/shm";
  const isOneFileSystem = !existsSync(elsewhere) || statSync(elsewhere).dev === statSync(folder).dev;
  test("a file from another file system is stored as well", {
    skip: isOneFileSystem && "needs a second file system at /dev/shm",
  }, async (t) => {
    const other = mkdtempSync(join(elsewhere, "portico-blobs-"));
    t.after(() => rmSync(other, { recursive: true }));
    const key = newKey();
    const path = join(other, "file");
    writeFileSync(path, "content");
    await disk.put(key, path, 7);
    assert.equal(String(await read(disk, key)), "content");
    assert.deepEqual(readdirSync(other), []);
    assert.deepEqual(readdirSync(join(root, "incoming")), []);
  });
  test("copies left behind by a crash are removed when the store is opened; those in progress are not", async (t) => {
    const incoming = join(root, "incoming");
    const [old, young] = [join(incoming, newKey()), join(incoming, newKey())];
    t.after(() => rmSync(young));
    for (const path of [old, young]) writeFileSync(path, "half a f");
    const hoursAgo = Date.now() / 1_000 - 7_200;
    utimesSync(old, hoursAgo, hoursAgo);
    await openDiskBlobs(root);
    assert.deepEqual([existsSync(old), existsSync(young)], [false, true]);
  });
});

describe("blobs on s3", () => {
  test("abandoned streams release their connections", async (t) => {
    const idle = await startS3Server();
    const blobs = await openS3Blobs(idle);
    t.after(async () => {
      await blobs.close();
      await idle.stop();
    });
    const key = await putNew(blobs, randomBytes(8 * MIB));
    for (let round = 0; round < 20; round++) await abandon(await blobs.get(key));
    await t.waitFor(async () => assert.ok((await idle.connections()) <= 1));
  });
  test("stalled readers do not block put and delete", async (t) => {
    const store = createHttpServer((request, response) => {
      if (request.method === "GET") response.writeHead(200, { "content-length": 1_000 }).flushHeaders();
      else request.resume().on("end", () => response.end());
    }).listen(0, "127.0.0.1");
    await once(store, "listening");
    const { port } = store.address() as AddressInfo;
    const blobs = await openS3Blobs({ ...server, endpoint: `http://127.0.0.1:${port}` });
    t.after(async () => {
      await blobs.close();
      store.closeAllConnections();
      store.close();
    });
    const readers = await Promise.all(Array.from({ length: 500 }, () => blobs.get(newKey())));
    await blobs.delete(await putNew(blobs, "content"));
    for (const reader of readers) reader?.on("error", () => {}).destroy();
  });
  test("a put that is refused or interrupted is retried from the beginning", async () => {
    const content = randomBytes(5 * MIB);
    const putsBefore = server.puts();
    server.faults.push("busy", "cut");
    const key = await putNew(s3, content);
    assert.equal(server.puts() - putsBefore, 3);
    assert.ok((await read(s3, key)).equals(content));
  });
  test("a put that keeps failing fails, and leaves the source file in place", async (t) => {
    const path = newFile("content");
    server.faults.push("cut", "busy", "busy");
    await assert.rejects(s3.put(newKey(), path, 7), /did not put a blob: SlowDown \(HTTP 503\)/);
    assert.ok(existsSync(path));
    await assertNothingOpen(t);
  });
  test("wrong credentials fail at once with an error that shows no secret, whatever the size", async (t) => {
    const secretAccessKey = "an0ther+S3cret";
    const stranger = await openS3Blobs({ ...server, secretAccessKey });
    const putsBefore = server.puts();
    for (const size of [7, 5 * MIB]) {
      const path = newFile(Buffer.alloc(size));
      for (const call of [
        () => stranger.put(newKey(), path, size),
        () => stranger.get(newKey()),
        () => stranger.delete(newKey()),
      ]) {
        await assert.rejects(call, (error) => {
          assert.ok(error instanceof Error && error.cause instanceof Error);
          assert.match(error.message, /SignatureDoesNotMatch \(HTTP 403\)/);
          const shown = `${error.stack}\n${error.cause.stack}\n${inspect(error, { depth: 20, showHidden: true })}`;
          assert.ok(!shown.includes(secretAccessKey));
          return true;
        });
      }
      assert.ok(existsSync(path));
    }
    await stranger.close();
    assert.equal(server.puts(), putsBefore);
    await assertNothingOpen(t);
  });
  test("a bucket that is not there is an error, not a missing blob", async () => {
    const blobs = await openS3Blobs({ ...server, bucket: "another" });
    await assert.rejects(blobs.get(newKey()), /NoSuchBucket/);
    await assert.rejects(blobs.put(newKey(), newFile("content"), 7), /NoSuchBucket/);
    await blobs.close();
  });
  test("a store that is not there is an error with its cause", async (t) => {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const address = listener.address();
    assert.ok(typeof address === "object" && address !== null);
    listener.close();
    await once(listener, "close");
    const blobs = await openS3Blobs({ ...server, endpoint: `http://127.0.0.1:${address.port}` });
    for (const call of [() => blobs.get(newKey()), () => blobs.put(newKey(), newFile("content"), 7)]) {
      await assert.rejects(call, (error) => error instanceof Error && String(error.cause).includes("ECONNREFUSED"));
    }
    await blobs.close();
    await assertNothingOpen(t);
  });
});
