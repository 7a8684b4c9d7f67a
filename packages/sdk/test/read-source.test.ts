import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import { readSource, type UploadSource } from "../src/upload/read-source.ts";

const MIB = 1024 * 1024;
const CONTENT = Buffer.from("name,time\nAnn,2 h\n");

const directory = await mkdtemp(join(tmpdir(), "portico-sdk-"));
after(() => rm(directory, { recursive: true }));
const path = join(directory, "Times.CSV");
await writeFile(path, CONTENT);

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function bytesOf(source: UploadSource): Promise<Buffer> {
  return Buffer.concat((await readSource(source)).pieces);
}

test("a path, bytes, a blob, a stream and a generator all yield the same bytes", async () => {
  for (const source of [
    path,
    CONTENT,
    new Uint8Array(CONTENT),
    new Blob([CONTENT]),
    createReadStream(path),
    Readable.from([CONTENT.subarray(0, 4), CONTENT.subarray(4)]),
    new Blob([CONTENT]).stream(),
    pieces("name,time\n", "Ann,2 h\n"),
  ]) {
    assert.deepEqual(await bytesOf(source), CONTENT);
  }
});

test("a view of a larger buffer yields only its own bytes", async () => {
  assert.equal((await bytesOf(new Uint8Array(CONTENT.buffer, CONTENT.byteOffset + 5, 4))).toString(), "time");
});

test("name and type come from the options, otherwise from the source, otherwise they are generic", async () => {
  for (const [source, options, fileName, mimeType] of [
    [path, {}, "Times.CSV", "text/csv"],
    [path, { fileName: "a.json" }, "a.json", "application/json"],
    [path, { mimeType: "text/plain; charset=utf-8" }, "Times.CSV", "text/plain; charset=utf-8"],
    [CONTENT, {}, "file", "application/octet-stream"],
    [CONTENT, { fileName: "" }, "file", "application/octet-stream"],
    [CONTENT, { fileName: "a.tar.xyz" }, "a.tar.xyz", "application/octet-stream"],
    [new Blob([CONTENT], { type: "image/webp" }), {}, "file", "image/webp"],
    [new Blob([CONTENT]), { fileName: "a.PNG" }, "a.PNG", "image/png"],
    [new File([CONTENT], "b.pdf"), {}, "b.pdf", "application/pdf"],
    [pieces("x"), { fileName: "c.mp3" }, "c.mp3", "audio/mpeg"],
  ] as const) {
    const file = await readSource(source, options);
    assert.equal(file.fileName, fileName);
    assert.equal(file.mimeType, mimeType);
  }
});

test("an invalid type cannot add a header", async () => {
  for (const mimeType of ["", "png", "text/plain\r\nX: y", "text/plain; a=\u00e9"]) {
    await assert.rejects(readSource(CONTENT, { mimeType }), { name: "TypeError", message: /mimeType/ });
  }
});

test("every kind of source may have 20 MiB, and none one byte more", async () => {
  const large = join(directory, "large");
  for (const [size, isRead] of [
    [20 * MIB, true],
    [20 * MIB + 1, false],
  ] as const) {
    await writeFile(large, "");
    await truncate(large, size);
    const bytes = Buffer.alloc(size);
    for (const source of [large, bytes, new Blob([bytes]), createReadStream(large)]) {
      if (isRead) assert.equal((await bytesOf(source)).length, size);
      else await assert.rejects(readSource(source), { name: "RangeError", message: /20971520/ });
    }
  }
});

test("an endless stream is read no further than the limit, and is closed", async () => {
  let given = 0;
  const endless = new Readable({
    read() {
      given += MIB;
      this.push(Buffer.alloc(MIB));
    },
  });
  await assert.rejects(readSource(endless), RangeError);
  assert.equal(endless.destroyed, true);
  assert.ok(given <= 22 * MIB, `${given} bytes were taken`);
});

test("a source that fails, or is not there, fails the upload with its own error", async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield CONTENT;
    throw new Error("the tape broke");
  }
  await assert.rejects(readSource(failing()), /the tape broke/);
  await assert.rejects(readSource(join(directory, "absent")), { code: "ENOENT" });
  await assert.rejects(readSource(directory), { code: "EISDIR" });
});

test("a stream of text is refused, because its original bytes are unknown", async () => {
  const text = createReadStream(path).setEncoding("latin1");
  await assert.rejects(readSource(text), { name: "TypeError", message: /must give bytes/ });
});
