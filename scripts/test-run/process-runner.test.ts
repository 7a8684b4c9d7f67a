import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import type { TestEvent } from "node:test/reporters";
import type { FileLimits } from "./file-watch.ts";
import { ProcessRunner, runAlone } from "./process-runner.ts";
import { tally } from "./tally.ts";

let directory: string;
let runner: ProcessRunner;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "portico-runner-"));
  runner = new ProcessRunner();
});
afterEach(async () => {
  await runner[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const FINE = 'test("is fine", () => {});';

const LIMITS: FileLimits = { wholeMs: 60_000, silentMs: 60_000, idleMs: 60_000 };

interface How extends Partial<FileLimits> {
  namePattern?: string;
  alone?: boolean;
}

async function runFile(code: string, { namePattern, alone = false, ...limits }: How = {}) {
  const file = join(directory, `${crypto.randomUUID()}.test.ts`);
  await writeFile(file, `import { after, before, describe, test } from "node:test";\n${code}`);
  const options = { namePattern, signal: new AbortController().signal, limits: { ...LIMITS, ...limits } };
  const { events } = await (alone ? runAlone(file, options) : runner.run(file, options));
  const { passed, failed, skipped } = tally(file, events);
  return {
    passed,
    failed: failed.map(({ name }) => name.split(" > ").slice(1).join(" > ")),
    skipped,
    words: words(events),
  };
}

/** What the failures say. */
function words(events: readonly TestEvent[]): string {
  return events.map(({ type, data }) => (type === "test:fail" ? data.details.error.stack : "")).join("\n");
}

/** The process in which a file ran. */
async function processOf(code: string, limits: How = {}): Promise<string> {
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
  [
    "hangs",
    'test("waits", () => new Promise(() => setInterval(() => {}, 9)));',
    { silentMs: 1_000 },
    /began and ended no test for 1 s and was ended; unfinished tests: "waits"; open in it: timer/,
  ],
  [
    "waits for a connection",
    'import { createServer } from "node:net"; test("waits", () => new Promise(() => createServer().listen(0, "127.0.0.1")));',
    { silentMs: 1_000 },
    /unfinished tests: "waits"; open in it: tcp 127\.0\.0\.1:\d+$/m,
  ],
  [
    "hangs before its first test",
    `before(() => new Promise(() => setInterval(() => {}, 9))); ${FINE}`,
    { silentMs: 1_000, idleMs: 100 },
    /unfinished tests: "is fine"; open in it: timer/,
  ],
  [
    "hangs while it is loaded",
    "await new Promise(() => setInterval(() => {}, 9));",
    { silentMs: 1_000, idleMs: 100 },
    /began and ended no test for 1 s and was ended; unfinished tests: none has begun/,
  ],
  [
    "blocks",
    'function turns() { for (;;); } test("turns", () => new Promise(() => setTimeout(turns, 50)));',
    { silentMs: 1_000 },
    /unfinished tests: "turns"; it runs without a pause/,
  ],
  [
    "takes too long, though it says something now and then",
    'for (let n = 0; n < 1_000; n++) test("one of many", () => new Promise((done) => setTimeout(done, 10)));',
    { wholeMs: 1_000 },
    /took longer than 1 s and was ended/,
  ],
  [
    "leaves something open",
    `${FINE} setInterval(() => {}, 9);`,
    { idleMs: 500 },
    /something of it is still open; unfinished tests: none; open in it: timer/,
  ],
] as const) {
  test(`a file that ${what} fails by name, and the next one has another process`, async () => {
    const before = await processOf(FINE);
    const { failed, words: said } = await runFile(code, limits);
    assert.ok(failed.includes(""), `${failed}`);
    assert.match(said, expected);
    assert.notEqual(await processOf(FINE), before);
  });
}

test("a file that runs alone may change what it likes, and must end all the same", async () => {
  const changed = await runFile(`${FINE} process.env.PORTICO_LEFT = "1";`, { alone: true });
  assert.deepEqual([changed.passed, changed.failed], [1, []]);
  const open = await runFile(`${FINE} setInterval(() => {}, 9);`, { alone: true, idleMs: 500 });
  assert.match(open.words, /something of it is still open/);
});

test("what a file prints is part of its events", async () => {
  const file = join(directory, "prints.test.ts");
  await writeFile(file, 'import { test } from "node:test"; test("t", () => console.log("printed words"));');
  const { events } = await runner.run(file, { signal: new AbortController().signal });
  const printed = events.map(({ type, data }) => (type === "test:stdout" ? data.message : "")).join("");
  assert.equal(printed, "printed words\n");
});
