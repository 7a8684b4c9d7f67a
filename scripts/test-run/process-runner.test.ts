import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { SharedRunner } from "./shared-runner.ts";
import { tally } from "./tally.ts";

let directory: string;
let runner: SharedRunner;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "portico-shared-"));
  runner = new SharedRunner();
});
afterEach(async () => {
  await runner[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const FINE = 'test("is fine", () => {});';

async function runFile(code: string, limits: { timeoutMs?: number; idleMaxMs?: number; namePattern?: string } = {}) {
  const file = join(directory, `${crypto.randomUUID()}.test.ts`);
  await writeFile(file, `import { after, before, describe, test } from "node:test";\n${code}`);
  const signal = new AbortController().signal;
  const events = await runner.run(file, { timeoutMs: 60_000, signal, ...limits });
  const { passed, failed, skipped } = tally(file, events);
  return {
    passed,
    failed: failed.map((name) => name.split(" > ").slice(1).join(" > ")),
    skipped,
    words: words(events),
  };
}

/** What the failures say. */
function words(events: readonly TestEvent[]): string {
  return events.map(({ type, data }) => (type === "test:fail" ? data.details.error.stack : "")).join("\n");
}

/** The process in which a file ran. */
async function processOf(code: string, limits = {}): Promise<string> {
  const path = join(directory, "pid");
  await runFile(
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(path)}, \`\${process.pid}\`);\n${code}`,
    limits,
  );
  return await readFile(path, "utf8");
}

test("files run one after another in one process, each with its own hooks and its own result", async () => {
  const hooked = 'let n = 0; before(() => { n = 1; }); test("n", () => { if (n !== 1) throw new Error("no hook"); });';
  const mixed = `${FINE} describe("s", () => { test("fails", () => { throw new Error("words of it"); }); test("skipped", { skip: "why" }, () => {}); });`;
  const first = await processOf(hooked);
  const { words: said, ...counts } = await runFile(mixed);
  assert.deepEqual(counts.passed, 1);
  assert.deepEqual(counts.failed, ["s > fails"]);
  assert.deepEqual(
    counts.skipped.map(({ reason }) => reason),
    ["why"],
  );
  assert.match(said, /words of it/);
  assert.equal((await runFile(hooked)).passed, 1);
  assert.equal(await processOf(FINE), first);
});

test("only tests whose name matches run", async () => {
  const { passed } = await runFile(`${FINE} test("another", () => {});`, { namePattern: "another" });
  assert.equal(passed, 1);
});

for (const [what, code, expected] of [
  ["cannot be loaded", 'import "./absent.ts";', /Cannot find module/],
  ["throws after its first test", `${FINE} throw new Error("half way");`, /half way/],
  ["fails in a hook", `${FINE} after(() => { throw new Error("hook"); });`, /hook/],
  ["fails after its tests", 'test("t", () => { setTimeout(() => { throw new Error("late"); }, 5); });', /late/],
  ["changes the environment", `${FINE} process.env.PORTICO_LEFT = "1";`, /\$PORTICO_LEFT/],
  ["leaves a function replaced", `${FINE} Date.now = () => 1;`, /Date\.now/],
] as const) {
  test(`a file that ${what} fails, and the next one does not`, async () => {
    const { failed, words: said } = await runFile(code);
    assert.deepEqual(failed, [""]);
    assert.match(said, expected);
    assert.deepEqual((await runFile(FINE)).passed, 1);
  });
}

for (const [what, code, limits, expected] of [
  [
    "ends the process",
    'test("ends", () => new Promise(() => setTimeout(() => process.exit(0), 50)));',
    {},
    /ended with code 0; unfinished tests: "ends"/,
  ],
  ["kills the process", 'test("dies", () => process.kill(process.pid, "SIGKILL"));', {}, /ended with SIGKILL/],
  ["hangs", 'test("waits", () => new Promise(() => {}));', { timeoutMs: 1_500 }, /unfinished tests: "waits"/],
  [
    "blocks",
    'test("turns", () => new Promise(() => setTimeout(() => { for (;;); }, 50)));',
    { timeoutMs: 1_500 },
    /unfinished tests: "turns"/,
  ],
  ["leaves something open", `${FINE} setInterval(() => {}, 9);`, { idleMaxMs: 500 }, /something of it is still open/],
] as const) {
  test(`a file that ${what} fails by name, and the next one has another process`, async () => {
    const before = await processOf(FINE);
    const { failed, words: said } = await runFile(code, limits);
    assert.ok(failed.includes(""), `${failed}`);
    assert.match(said, expected);
    assert.notEqual(await processOf(FINE), before);
  });
}

test("what a file prints is part of its events", async () => {
  const file = join(directory, "prints.test.ts");
  await writeFile(file, 'import { test } from "node:test"; test("t", () => console.log("printed words"));');
  const events = await runner.run(file, { timeoutMs: 60_000, signal: new AbortController().signal });
  const printed = events.map(({ type, data }) => (type === "test:stdout" ? data.message : "")).join("");
  assert.equal(printed, "printed words\n");
});
