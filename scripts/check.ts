/**
 * `npm run check`: runs format, lint and import rules (Biome), types (TypeScript) and unused code (knip) in parallel.
 * The output of each is printed when it ends. Exits 1 if any of them fails.
 */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dirname, "..");
const PROGRAMS = join(REPOSITORY, "node_modules/.bin");
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

const CHECKS: readonly [program: string, ...args: string[]][] = [
  tsc("tsconfig.json"),
  tsc("tsconfig.web.json"),
  ["biome", "check", "."],
  ["knip"],
];

const passed = await Promise.all(CHECKS.map(check));
process.exitCode = passed.every(Boolean) ? 0 : 1;

/** Node and browsers have different globals, so the code for each is a project of its own. */
function tsc(project: string): [program: string, ...args: string[]] {
  // Several checkers would each check the types of the libraries: more work, and no faster. `--incremental` would be, most
  // times; but to know what a change concerns it writes out inferred types, of which one can take more memory than there is.
  return ["tsc", "-p", project, "--checkers", "1"];
}

async function check([program, ...args]: (typeof CHECKS)[number]): Promise<boolean> {
  const startedAt = performance.now();
  const { error, output } = await run(join(PROGRAMS, program), args);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const words = error?.code === undefined || typeof error.code === "number" ? output : `${output}${error.message}`;
  console.log(`${program}: ${error ? "failed" : "passed"} in ${seconds} s\n${words}`.trimEnd());
  return error === null;
}

function run(program: string, args: string[]): Promise<{ error: (Error & { code?: unknown }) | null; output: string }> {
  return new Promise((done) => {
    execFile(program, args, { cwd: REPOSITORY, maxBuffer: OUTPUT_MAX_BYTES }, (error, stdout, stderr) => {
      done({ error, output: `${stdout}${stderr}` });
    });
  });
}
