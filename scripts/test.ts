/**
 * Runs the tests of the whole repository against real services.
 *
 *     npm test                            all of them
 *     npm test -- packages/sdk cards      the files whose path contains one of these
 *     npm test -- --name "keeps a nonce"  the tests whose name matches this regular expression
 *
 * At the end the plans of all statements that these have run are looked at.
 *
 * The last line is `N passed, N failed, N skipped`. Fails if a test failed or if none ran.
 */
import { glob, mkdtemp, readdir, rm } from "node:fs/promises";
import { availableParallelism, constants, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { spec, type TestEvent } from "node:test/reporters";
import { parseArgs } from "node:util";
import { runFile } from "./test-run/run-file.ts";
import { type Tally, tally } from "./test-run/tally.ts";
import { startServices } from "./test-services/start-services.ts";

const REPOSITORY = resolve(import.meta.dirname, "..");
const FILE_PATTERNS = [
  "packages/*/src/**/*.test.ts",
  "packages/*/test/**/*.test.ts",
  "bench/**/*.test.ts",
  "scripts/**/*.test.ts",
];
/** Looks at the statements that the files before it have run. */
const PLANS = resolve(REPOSITORY, "packages/server/test/plans.last.test.ts");
/** Names the directory where they are left. */
const STATEMENTS = "PORTICO_TEST_STATEMENTS";
const FILE_TIMEOUT_MS = 10 * 60_000;
/** A directory of inputs that others have published; without it the tests that read them are skipped. */
const CORPORA = "PORTICO_TEST_CORPORA";

const { values: options, positionals: pathParts } = parseArgs({
  allowPositionals: true,
  options: { name: { type: "string" } },
});
process.chdir(REPOSITORY);

const interruption = new AbortController();
let interruptedBy: NodeJS.Signals | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    interruptedBy ??= signal;
    interruption.abort(new Error(`interrupted by ${signal}`));
  });
}

const total = await runWithServices(await findFiles());
printNames(total);
const ran = total.passed + total.failed.length > 0;
if (!ran) console.log("No test ran.");
console.log(`${total.passed} passed, ${total.failed.length} failed, ${total.skipped.length} skipped`);
if (interruptedBy) process.exitCode = 128 + constants.signals[interruptedBy];
else process.exitCode = ran && total.failed.length === 0 ? 0 : 1;

async function findFiles(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(FILE_PATTERNS, { exclude: ["**/node_modules/**"] })) {
    if (pathParts.length === 0 || pathParts.some((part) => file.includes(part))) files.push(resolve(file));
  }
  return files.sort();
}

async function runWithServices(files: string[]): Promise<Tally> {
  const total: Tally = { passed: 0, failed: [], skipped: [] };
  if (files.length === 0) return total;
  const services = await startServices(process.env);
  const statements = await mkdtemp(join(tmpdir(), "portico-statements-"));
  try {
    for (const line of services.report) console.log(line);
    replaceSettings({ ...services.env, [STATEMENTS]: statements });
    await runAll(
      files.filter((file) => file !== PLANS),
      total,
    );
    if ((await readdir(statements)).length > 0) await runAll([PLANS], total);
  } finally {
    await services.stop();
    await rm(statements, { recursive: true });
  }
  return total;
}

/** The test files inherit this process's environment; what a developer has set for a service of their own stays out. */
function replaceSettings(env: Record<string, string>): void {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith("PORTICO_") && name !== CORPORA) delete process.env[name];
  }
  Object.assign(process.env, env);
}

async function runAll(files: string[], total: Tally): Promise<void> {
  const queue = files.values();
  async function work(): Promise<void> {
    for (const file of queue) {
      if (interruption.signal.aborted) return;
      const startedAt = performance.now();
      const events = await runFile(file, {
        namePattern: options.name,
        timeoutMs: FILE_TIMEOUT_MS,
        signal: interruption.signal,
      });
      await printFile(file, events, performance.now() - startedAt);
      const { passed, failed, skipped } = tally(file, events);
      total.passed += passed;
      total.failed.push(...failed);
      total.skipped.push(...skipped);
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

async function printFile(file: string, events: TestEvent[], durationMs: number): Promise<void> {
  const reporter = new spec();
  for (const event of events) reporter.write(event);
  reporter.end();
  const report = await text(reporter);
  console.log(`\n${relative(REPOSITORY, file)} (${(durationMs / 1000).toFixed(1)} s)\n${report.trimEnd()}`);
}

function printNames({ failed, skipped }: Tally): void {
  if (skipped.length > 0) console.log("\nSkipped:");
  for (const { name, reason } of skipped) console.log(`  ${name}: ${reason}`);
  if (failed.length > 0) console.log("\nFailed:");
  for (const name of failed) console.log(`  ${name}`);
  console.log();
}
