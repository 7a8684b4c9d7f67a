import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

/** The options of a test run. */
export interface Options {
  /** Only files whose path contains one of these; all if the list is empty. */
  pathParts: string[];
  /** Only tests whose name matches this regular expression. */
  name: string | undefined;
  /** Only files that depend on changed files. */
  changed: boolean;
  /** Changed since this commit; undefined for the default of {@link changedFiles}. */
  since: string | undefined;
  /** Number of files that run concurrently. */
  jobs: number;
  /** Whether a further one runs while the processors are idle. */
  usesIdle: boolean;
  /** Does not run failed files again. */
  once: boolean;
  help: boolean;
}

/** More files would wait for processors; fewer would leave them idle while files wait for disks and databases. */
const DEFAULT_JOBS = availableParallelism() + 1;

export const HELP = `Runs the tests of the whole repository against real services.

  npm test                            all tests
  npm test -- packages/sdk cards      the files whose path contains one of these
  npm test -- --name "keeps a nonce"  the tests whose name matches this regular expression
  npm test -- --changed               the files that depend on changed files: uncommitted, or committed since
                                      origin/main (since HEAD~1 if there is none, or nothing differs)
  npm test -- --changed --since REF   the same, for changes since this commit, branch or tag
  npm test -- --jobs 2                this many files at a time; without it ${DEFAULT_JOBS} here, and one more while the
                                      processors are idle, as when files wait
  npm test -- --once                  does not run failed files again

--changed follows imports, and file names in texts, from each changed file to the test files, and prints these with the
reason. When they cannot be determined (changed dependencies, a changed runner, a file that nothing names), all tests run.
Options and paths can be combined.

A file is ended when it begins and ends no test for 150 s, keeps its process open for 60 s after its tests, or takes 300 s
altogether. Its failure names the unfinished tests and what is open in the process. PORTICO_TEST_ROWS=1000000 has the tests of
upgrades and moves fill their tables with so many rows; then a file may take an hour:

  PORTICO_TEST_ROWS=1000000 npm test -- large-upgrades online-migrations test/move --jobs 1

A file that has failed beside others is run once more by itself, unless more than five have. If it passes then, its tests
count as passed, and the end names those that had failed as unsteady, with their messages: they have a fault, too.

The files that took longest in the last run start first. Slow files are listed at the end; the last line is
"N passed, N failed, N skipped". Exits 1 if a test failed, or if none ran.
`;

/** @throws TypeError with a message for the developer. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: "string" },
      changed: { type: "boolean", default: false },
      since: { type: "string" },
      jobs: { type: "string" },
      once: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.since !== undefined && !values.changed) throw new TypeError("--since goes with --changed");
  const jobs = values.jobs === undefined ? DEFAULT_JOBS : Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1) throw new TypeError("--jobs takes a number from 1 on");
  const { name, changed, since, once, help } = values;
  return { pathParts: positionals, name, changed, since, jobs, once, help, usesIdle: values.jobs === undefined };
}
