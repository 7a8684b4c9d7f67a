/** `npm test`: runs the tests of the whole repository against real services. `--help` lists the options. */
import { glob, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { spec, type TestEvent } from "node:test/reporters";
import { FILE_LIMITS, FILE_LIMITS_OF_MANY_ROWS } from "./test-run/file-watch.ts";
import { HELP, type Options, readOptions } from "./test-run/options.ts";
import { needsOwnProcess } from "./test-run/own-process.ts";
import { PastDurations } from "./test-run/past-durations.ts";
import { ProcessRunner, runAlone } from "./test-run/process-runner.ts";
import { ProcessorUse, untilProcessorsIdle } from "./test-run/processor-use.ts";
import { Results } from "./test-run/results.ts";
import { selectChanged } from "./test-run/select-changed.ts";
import { failureLines, tally } from "./test-run/tally.ts";
import { type FileTime, timeOf, timeTable } from "./test-run/time-table.ts";
import { buildService } from "./test-services/built-service.ts";
import { memoryDir } from "./test-services/memory-dir.ts";
import { guardAgainstOrphans } from "./test-services/orphan-guard.ts";
import { startServices } from "./test-services/start-services.ts";

const REPOSITORY = resolve(import.meta.dirname, "..");
const FILE_PATTERNS = [
  "packages/*/src/**/*.test.{ts,tsx}",
  "packages/*/test/**/*.test.{ts,tsx}",
  "bench/**/*.test.ts",
  "scripts/**/*.test.ts",
];
/** Checks the statements that the earlier files have run. */
const PLANS = resolve(REPOSITORY, "packages/server/test/plans.last.test.ts");
/** Names the directory of these statements. */
const STATEMENTS = "PORTICO_TEST_STATEMENTS";
/** Names the directory in which services under test have theirs. */
const DATA = "PORTICO_TEST_DATA";
/**
 * What the developer sets for tests: a directory of published test inputs, without which the tests that read them are
 * skipped; more kills in the test of socket mode; 1 to have tests of pages assert how long tasks take, on a quiet machine;
 * how many rows the tests of upgrades fill tables with. An existing directory in PORTICO_TEST_STATEMENTS keeps the statements
 * of several runs.
 */
const FOR_TESTS = ["PORTICO_TEST_CORPORA", "PORTICO_TEST_ROWS", "PORTICO_TEST_SOCKET_KILLS", "PORTICO_TEST_TIMES"];
/** Files that make the next run faster. */
const CACHE = resolve(REPOSITORY, "node_modules/.cache/portico-tests");
const SLOWEST_LISTED = 15;
/** In a run of as many files, tests start the service so often that it pays to build it first. */
const FILES_TO_BUILD_FOR = 20;

const limits = process.env.PORTICO_TEST_ROWS === undefined ? FILE_LIMITS : FILE_LIMITS_OF_MANY_ROWS;

process.chdir(REPOSITORY);
const interruption = new AbortController();
let interruptedBy: NodeJS.Signals | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    interruptedBy ??= signal;
    interruption.abort(new Error(`interrupted by ${signal}`));
  });
}
const options = optionsOrExit();
const results = new Results();
const times: FileTime[] = [];
const processors = new ProcessorUse();

const allFiles = await findFiles();
const files = await chooseFiles(allFiles, options);
if (files.length > 0) await runWithServices(files);
printEnd();

function optionsOrExit(): Options {
  try {
    const given = readOptions(process.argv.slice(2));
    if (!given.help) return given;
    console.log(HELP);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(1);
  }
}

async function findFiles(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(FILE_PATTERNS, { exclude: ["**/node_modules/**"] })) found.push(resolve(file));
  return found.sort();
}

async function chooseFiles(all: string[], { pathParts, changed, since }: Options): Promise<string[]> {
  const named = all.filter(
    (file) => pathParts.length === 0 || pathParts.some((part) => relative(REPOSITORY, file).includes(part)),
  );
  if (!changed) return named;
  const selection = await selectChanged(REPOSITORY, named, since);
  for (const line of selection.report) console.log(line);
  return selection.files;
}

async function runWithServices(chosen: string[]): Promise<void> {
  const base = await memoryDir();
  const services = await startServices(process.env, base);
  const scratch = await mkdtemp(join(base ?? tmpdir(), "portico-test-run-"));
  const callOffGuard = guardAgainstOrphans(scratch);
  const durations = await PastDurations.recall(join(CACHE, "durations.json"));
  try {
    const statements = process.env[STATEMENTS] ?? (await makeDirectory(scratch, "statements"));
    const data = await makeDirectory(scratch, "data");
    const templates = await makeTemplates(await makeDirectory(scratch, "template"), services.env);
    const built = chosen.length < FILES_TO_BUILD_FOR ? { env: {}, lines: [] } : await build();
    const databases = `Databases: ${templates.line}${base ? ", in memory" : ""}`;
    for (const line of [...services.report, databases, ...built.lines]) console.log(line);
    replaceSettings({ ...services.env, ...templates.env, ...built.env, [STATEMENTS]: statements, [DATA]: data });
    // Loading the service takes longer than most tests; with a compile cache it takes half the time.
    process.env.NODE_COMPILE_CACHE = join(CACHE, "compiled");
    await runAll(await durations.longestFirst(chosen.filter((file) => file !== PLANS)), durations);
    if (chosen.length > 1 && !options.once) await runFailedAgain();
    if ((await readdir(statements)).length > 0) await runAll([PLANS], durations);
  } finally {
    await services.stop();
    callOffGuard();
    await rm(scratch, { recursive: true });
    await durations.keep(allFiles);
  }
}

async function makeDirectory(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(path);
  return path;
}

/** A failing migration is for the tests to report: without templates each test migrates its own database. */
async function makeTemplates(
  dir: string,
  env: Record<string, string>,
): Promise<{ env: Record<string, string>; line: string }> {
  const startedAt = performance.now();
  try {
    const { makeTemplates } = await import("../packages/server/test/support/templates.ts");
    const made = await makeTemplates(dir, env.PORTICO_TEST_POSTGRES_URL);
    return {
      env: made,
      line: `migrated once in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, then copied`,
    };
  } catch (error) {
    return { env: {}, line: `each migrated by itself: ${error instanceof Error ? error.message : error}` };
  }
}

/** Sources that cannot be built are for the tests to report: then they start the service from these. */
async function build(): Promise<{ env: Record<string, string>; lines: string[] }> {
  const startedAt = performance.now();
  try {
    const env = await buildService(join(CACHE, "service"));
    return { env, lines: [`Service: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`] };
  } catch (error) {
    return { env: {}, lines: [`Service: from its sources: ${error instanceof Error ? error.message : error}`] };
  }
}

/** The test files inherit this process's environment, without the developer's settings for the service. */
function replaceSettings(env: Record<string, string>): void {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith("PORTICO_") && !FOR_TESTS.includes(name)) delete process.env[name];
  }
  Object.assign(process.env, env);
}

async function runAll(queued: readonly string[], durations: PastDurations): Promise<void> {
  const queue = [...queued];
  const over = new AbortController();
  async function work(mayTake: () => Promise<boolean>): Promise<void> {
    await using shared = new ProcessRunner();
    while (await mayTake()) {
      const file = queue.shift();
      if (file === undefined || interruption.signal.aborted) return;
      await runFile(file, shared, durations);
    }
  }
  const jobs = Promise.all(Array.from({ length: options.jobs }, () => work(async () => true)));
  // Those that wait for an hour to pass, or for a process to start, leave the processors to others.
  const hasMore = options.usesIdle && queued.length > options.jobs;
  const further = hasMore ? work(() => untilProcessorsIdle(over.signal)) : null;
  await Promise.all([jobs.finally(() => over.abort()), further]);
}

async function runFile(file: string, shared: ProcessRunner, durations: PastDurations): Promise<void> {
  const startedAt = performance.now();
  const how = { namePattern: options.name, signal: interruption.signal, limits };
  const ran = await (needsOwnProcess(file) ? runAlone(file, how) : shared.run(file, how));
  const durationMs = performance.now() - startedAt;
  if (options.name === undefined && !interruption.signal.aborted) durations.note(file, durationMs);
  times.push(timeOf(relative(REPOSITORY, file), durationMs, ran));
  await printFile(file, ran.events, durationMs);
  results.note(file, tally(file, ran.events));
}

/**
 * Runs the files that have failed once more, with nothing beside them. Tests drive browsers and kill processes on
 * machines that others share; one that fails only then is named at the end, and does not fail the run.
 */
async function runFailedAgain(): Promise<void> {
  for (const file of results.toRunAgain) {
    if (interruption.signal.aborted) return;
    console.log(`\nOnce more, by itself: ${relative(REPOSITORY, file)}`);
    const startedAt = performance.now();
    const { events } = await runAlone(file, { namePattern: options.name, signal: interruption.signal, limits });
    await printFile(file, events, performance.now() - startedAt);
    if (!interruption.signal.aborted) results.noteAgain(file, tally(file, events));
  }
}

async function printFile(file: string, events: TestEvent[], durationMs: number): Promise<void> {
  const reporter = new spec();
  for (const event of events) reporter.write(event);
  reporter.end();
  const report = await text(reporter);
  console.log(`\n${relative(REPOSITORY, file)} (${(durationMs / 1000).toFixed(1)} s)\n${report.trimEnd()}`);
}

function printEnd(): void {
  const { passed, failed, skipped } = results.total;
  if (times.length > 1) {
    console.log("\nWhat took longest:");
    for (const line of timeTable(times, SLOWEST_LISTED)) console.log(line);
    console.log(`Idle: ${Math.round(processors.idleShare() * 100)} % of the processors' time`);
  }
  if (skipped.length > 0) console.log("\nSkipped:");
  for (const { name, reason } of skipped) console.log(`  ${name}: ${reason}`);
  if (results.unsteady.length > 0)
    console.log("\nUnsteady: failed beside other files, passed when run again by itself:");
  for (const line of results.unsteady.flatMap(failureLines)) console.log(`  ${line}`);
  if (failed.length > 0) console.log("\nFailed:");
  for (const line of failed.flatMap(failureLines)) console.log(`  ${line}`);
  const ran = passed + failed.length > 0;
  const isNothingToRun = options.changed && files.length === 0;
  console.log(`\n${isNothingToRun ? "No test depends on what has changed.\n" : ran ? "" : "No test ran.\n"}`.trimEnd());
  console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  if (interruptedBy) process.exitCode = 128 + constants.signals[interruptedBy];
  else process.exitCode = failed.length === 0 && (ran || isNothingToRun) ? 0 : 1;
}
