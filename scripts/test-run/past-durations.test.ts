import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { it, type TestContext } from "node:test";
import { PastDurations } from "./past-durations.ts";

async function makeFiles(t: TestContext): Promise<{ kept: string; files: [string, string, string] }> {
  const dir = await mkdtemp(join(tmpdir(), "portico-durations-"));
  t.after(() => rm(dir, { recursive: true }));
  const files: [string, string, string] = [join(dir, "a"), join(dir, "b"), join(dir, "c")];
  for (const [index, file] of files.entries()) await writeFile(file, "x".repeat(100 * (index + 1)));
  return { kept: join(dir, "kept", "durations.json"), files };
}

it("files that have never run are ordered by length, the longest first", async (t) => {
  const { kept, files } = await makeFiles(t);
  assert.deepEqual(await (await PastDurations.recall(kept)).longestFirst(files), files.toReversed());
});

it("a browser test that has never run comes before longer files", async (t) => {
  const { kept, files } = await makeFiles(t);
  const inBrowser = join(dirname(files[0]), "packages/web/test/short");
  await mkdir(dirname(inBrowser), { recursive: true });
  await writeFile(inBrowser, "x");
  const durations = await PastDurations.recall(kept);
  assert.deepEqual(await durations.longestFirst([...files, inBrowser]), [inBrowser, ...files.toReversed()]);
});

it("a test of processes that has never run comes before longer files", async (t) => {
  const { kept, files } = await makeFiles(t);
  const withProcess = join(dirname(files[0]), "short");
  await writeFile(withProcess, 'import "./support/process.ts";');
  const durations = await PastDurations.recall(kept);
  assert.deepEqual(await durations.longestFirst([...files, withProcess]), [withProcess, ...files.toReversed()]);
});

it("files that have run are ordered by duration, also in the next run", async (t) => {
  const { kept, files } = await makeFiles(t);
  const durations = await PastDurations.recall(kept);
  durations.note(files[0], 5_000.4);
  durations.note(files[2], 1);
  await durations.keep(files);
  const expected = [files[0], files[1], files[2]];
  assert.deepEqual(await (await PastDurations.recall(kept)).longestFirst(files), expected);
});

it("durations of deleted files are removed", async (t) => {
  const { kept, files } = await makeFiles(t);
  const durations = await PastDurations.recall(kept);
  durations.note(files[0], 5_000);
  await durations.keep([files[1]]);
  assert.deepEqual(await (await PastDurations.recall(kept)).longestFirst(files), files.toReversed());
});

it("an unreadable record counts as no record", async (t) => {
  const { files } = await makeFiles(t);
  await writeFile(files[0], "{");
  assert.deepEqual(await (await PastDurations.recall(files[0])).longestFirst(files), files.toReversed());
});
