import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import { needsOwnProcess, OWN_PROCESS } from "./own-process.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const TESTS = ["packages/*/{src,test}/**/*.test.ts", "{scripts,bench}/**/*.test.ts"];
const MEASURES = /process\.(memoryUsage|resourceUsage|cpuUsage)\b/;

test("each file that is named is there, and each that measures its process is named", async () => {
  const unnamed: string[] = [];
  const found: string[] = [];
  for await (const file of glob(TESTS, { cwd: REPOSITORY })) {
    found.push(file);
    if (needsOwnProcess(resolve(REPOSITORY, file))) continue;
    if (MEASURES.test(await readFile(resolve(REPOSITORY, file), "utf8"))) unnamed.push(file);
  }
  assert.deepEqual(unnamed, []);
  for (const [path] of OWN_PROCESS)
    assert.ok(
      found.some((file) => file.startsWith(path)),
      path,
    );
});
