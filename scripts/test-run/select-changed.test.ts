import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { beforeEach, it, type TestContext } from "node:test";
import { selectChanged } from "./select-changed.ts";

const FILES = {
  "package.json": JSON.stringify({ workspaces: ["packages/one", "packages/two"] }),
  "packages/one/package.json": JSON.stringify({ name: "@x/one", exports: { "./part": "./src/part.ts" } }),
  "packages/one/src/part.ts": 'import { base } from "./base.ts";\nexport const part = base;\n',
  "packages/one/src/base.ts": "export const base = 1;\n",
  "packages/one/src/shape.ts": "export interface Shape {}\n",
  "packages/one/src/worker.ts": "",
  "packages/one/test/part.test.ts": 'import "../src/part.ts";\nimport type { Shape } from "../src/shape.ts";\n',
  "packages/one/test/thread.test.ts": 'new Worker(new URL("../src/worker.ts", import.meta.url));\n',
  "packages/one/test/pages.test.ts": 'const dir = join(import.meta.dirname, "../../../docs");\n',
  "packages/one/src/rules/rule.ts": "",
  "packages/one/test/rules.test.ts": 'const rules = readdirSync(join(SOURCES, "rules"));\n',
  "packages/one/test/url.test.ts": 'await fetch("/docs/json");\n',
  "packages/two/package.json": JSON.stringify({ name: "@x/two" }),
  "packages/two/test/other.test.ts": 'import {\n  part,\n} from "@x/one/part";\nexport { part };\n',
  "packages/two/test/lazy.test.ts": 'const { base } = await import("../../one/src/base.ts");\n',
  "docs/deep/page.md": "",
  "notes.md": "",
  "data.bin": "",
  "biome.json": "{}",
};
const ALL = Object.keys(FILES).filter((file) => file.endsWith(".test.ts"));

let root: string;
beforeEach((t) => {
  root = mkdtempSync(join(tmpdir(), "portico-changed-"));
  (t as TestContext).after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  git("init", "-q", "-b", "main");
  commit("all");
});

function git(...args: string[]): void {
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["-C", root, ...who, ...args]);
}

function commit(message: string): void {
  git("add", "-A");
  git("commit", "-q", "-m", message);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

async function selected(since?: string): Promise<{ files: string[]; report: string[] }> {
  const tests = ALL.map((file) => join(root, file));
  const { files, report } = await selectChanged(root, tests, since);
  return { files: files.map((file) => relative(root, file)), report };
}

for (const [file, ...tests] of [
  [
    "packages/one/src/base.ts",
    "packages/one/test/part.test.ts",
    "packages/two/test/other.test.ts",
    "packages/two/test/lazy.test.ts",
  ],
  ["packages/one/src/part.ts", "packages/one/test/part.test.ts", "packages/two/test/other.test.ts"],
  ["packages/one/src/worker.ts", "packages/one/test/thread.test.ts"],
  ["packages/one/src/shape.ts"],
  ["packages/one/src/rules/rule.ts", "packages/one/test/rules.test.ts"],
  ["packages/one/test/thread.test.ts", "packages/one/test/thread.test.ts"],
  ["docs/deep/page.md", "packages/one/test/pages.test.ts"],
  ["notes.md"],
  ["biome.json"],
] as const) {
  it(`a change of ${file} concerns ${tests.length === 0 ? "no test file" : tests.join(", ")}`, async () => {
    write(file, "// changed\n");
    assert.deepEqual((await selected("HEAD")).files, [...tests]);
  });
}

for (const file of ["package.json", "packages/two/package.json", "package-lock.json", "scripts/test.ts", "data.bin"]) {
  it(`a change of ${file} concerns all`, async () => {
    write(file, file.endsWith("package.json") ? FILES["package.json"].concat("\n") : "changed");
    const { files, report } = await selected("HEAD");
    assert.deepEqual(files, ALL);
    assert.match(report.join("\n"), new RegExp(`All test files are run: .*${file}`));
  });
}

it("each file is listed with its chain of dependencies", async () => {
  write("packages/one/src/base.ts", "// changed\n");
  const { report } = await selected("HEAD");
  assert.deepEqual(report, [
    "Changed since HEAD: 1 files",
    "  packages/one/src/base.ts: 3 test files",
    "Test files to run: 3 of 7",
    "  packages/one/test/part.test.ts (packages/one/src/base.ts <- packages/one/src/part.ts)",
    "  packages/two/test/other.test.ts (packages/one/src/base.ts <- packages/one/src/part.ts)",
    "  packages/two/test/lazy.test.ts (packages/one/src/base.ts)",
  ]);
});

it("a deleted source concerns tests that still import it; a deleted test file concerns none", async () => {
  rmSync(join(root, "packages/one/src/worker.ts"));
  git("rm", "-q", "packages/one/test/part.test.ts");
  const left = ALL.filter((file) => !file.endsWith("/part.test.ts")).map((file) => join(root, file));
  const { files } = await selectChanged(root, left, "HEAD");
  assert.deepEqual(files, [join(root, "packages/one/test/thread.test.ts")]);
});

it("by default the changes are the last commit and uncommitted files", async () => {
  write("packages/one/src/worker.ts", "// changed\n");
  commit("one more");
  write("packages/one/src/part.ts", "// changed\n");
  const { files, report } = await selected();
  assert.deepEqual(files, [
    "packages/one/test/part.test.ts",
    "packages/one/test/thread.test.ts",
    "packages/two/test/other.test.ts",
  ]);
  assert.match(report[0] ?? "", /HEAD~1/);
});

it("with an origin/main the changes are all since then", async () => {
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  write("packages/one/src/worker.ts", "// changed\n");
  commit("one");
  write("notes.md", "changed");
  commit("two");
  const { files, report } = await selected();
  assert.deepEqual(files, ["packages/one/test/thread.test.ts"]);
  assert.match(report[0] ?? "", /origin\/main/);
});

it("an unknown commit is refused; without any commit to compare with, all tests run", async () => {
  await assert.rejects(selected("no-such-ref"));
  assert.deepEqual((await selected()).files, ALL);
});
