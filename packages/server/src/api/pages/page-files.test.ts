import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { plainBody } from "../common/send-static-file.ts";
import { readPageFiles } from "./page-files.ts";

test("a file of the pages that there is in gzip is kept compressed, and unpacked once when somebody asks", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "portico-pages-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "both.js"), "first();");
  await writeFile(join(folder, "both.js.gz"), gzipSync("first();"));
  await writeFile(join(folder, "plain.js"), "second();");
  const files = readPageFiles(folder);
  const [both, plain] = [files?.get("both.js"), files?.get("plain.js")];
  assert.ok(both && plain);
  assert.deepEqual([...both.bodies.keys()], ["gzip"]);
  assert.deepEqual([...plain.bodies.keys()], ["identity"]);
  assert.equal(String(plainBody(both)), "first();");
  assert.equal(plainBody(both), plainBody(both));
  assert.equal(String(plainBody(plain)), "second();");
  assert.notEqual(both.hash, plain.hash);
});
