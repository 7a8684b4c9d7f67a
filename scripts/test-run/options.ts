import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

/** What a run of the tests is told. */
export interface Options {
  /** Only files whose path contains one of these; all if there are none. */
  pathParts: string[];
  /** Only tests whose name matches this regular expression. */
  name: string | undefined;
  /** Only files that depend on what has changed. */
  changed: boolean;
  /** Changed since this; undefined leaves it to {@link changedFiles}. */
  since: string | undefined;
  /** Files that run at a time. */
  jobs: number;
  help: boolean;
}

/** More would wait for one another's processors; fewer would leave them idle while files wait for disks and databases. */
const DEFAULT_JOBS = availableParallelism() + 1;

export const HELP = `Runs the tests of the whole repository against real services.

  npm test                            all of them
  npm test -- packages/sdk cards      the files whose path contains one of these
  npm test -- --name "keeps a nonce"  the tests whose name matches this regular expression
  npm test -- --changed               the files that depend on what has changed: uncommitted, or committed since
                                      origin/main (where that is not known or nothing differs, since HEAD~1)
  npm test -- --changed --since REF   the same, changed since this commit, branch or tag
  npm test -- --jobs 2                so many files at a time; default here: ${DEFAULT_JOBS}

--changed follows imports, and files that others name in a text, from each changed file to the test files, and says which
these are and why. When that cannot be told (dependencies have changed, or the runner, or a file that nothing names), all
run. Options and paths narrow each other down.

Files that took longest the last time go first. What took long is listed at the end; the last line is
"N passed, N failed, N skipped". Exits 1 if a test failed, or if none ran.
`;

/** @throws TypeError in words for the developer. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: "string" },
      changed: { type: "boolean", default: false },
      since: { type: "string" },
      jobs: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.since !== undefined && !values.changed) throw new TypeError("--since goes with --changed");
  const jobs = values.jobs === undefined ? DEFAULT_JOBS : Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1) throw new TypeError("--jobs takes a number from 1 on");
  const { name, changed, since, help } = values;
  return { pathParts: positionals, name, changed, since, jobs, help };
}
