import { glob } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { type Changes, changedFiles } from "./changed-files.ts";
import { ImportGraph, type Trail } from "./import-graph.ts";

const SOURCES = ["packages/**/*.{ts,tsx}", "bench/**/*.ts", "scripts/**/*.ts"];

/** A change to these may concern every test. */
const CONCERNS_ALL =
  /^(package\.json|package-lock\.json|\.npmrc|tsconfig\.json|(packages\/[^/]+|bench)\/package\.json|scripts\/.*)$/;
/** No program reads these. Pages and test files that no source names, and deleted ones, concern no test either. */
const CONCERNS_NONE =
  /^(.*\.md|.*\.test\.tsx?|biome\.json|knip\.json|LICENSE|\.gitignore|\.editorconfig|\.github\/.*|\.ci\/.*)$/;

/** The test files to run, and the reasons, line by line. */
export interface Selection {
  files: string[];
  report: string[];
}

/** The test files that depend on files changed since `since` (see {@link changedFiles}); all when this is unknown. */
export async function selectChanged(root: string, testFiles: readonly string[], since?: string): Promise<Selection> {
  let changes: Changes;
  try {
    changes = await changedFiles(root, since);
  } catch (error) {
    if (since !== undefined) throw error;
    return all(testFiles, `git does not tell what has changed: ${error instanceof Error ? error.message : error}`);
  }
  const sources: string[] = [];
  for await (const file of glob(SOURCES, { cwd: root, exclude: ["**/node_modules/**"] }))
    sources.push(resolve(root, file));
  const graph = await ImportGraph.read(root, sources);

  const reasons = new Map<string, Trail>();
  const report = [`Changed since ${changes.base}: ${changes.files.length} files`];
  for (const file of changes.files) {
    const name = relative(root, file);
    const dependents = graph.dependentsOf(file);
    const concerned = testFiles.filter((test) => dependents.has(test));
    if (CONCERNS_ALL.test(name) && !(/\.test\.tsx?$/.test(name) && concerned.length === 1)) {
      return all(testFiles, `${name} concerns all`);
    }
    if (dependents.size === 0 && !CONCERNS_NONE.test(name)) {
      return all(testFiles, `nothing tells which tests ${name} concerns`);
    }
    report.push(`  ${name}: ${concerned.length} test files`);
    for (const test of concerned) {
      const trail = dependents.get(test) ?? [];
      const known = reasons.get(test);
      if (known === undefined || trail.length < known.length) reasons.set(test, trail);
    }
  }
  const files = testFiles.filter((test) => reasons.has(test));
  report.push(`Test files to run: ${files.length} of ${testFiles.length}`);
  for (const file of files) report.push(`  ${relative(root, file)}${why(root, reasons.get(file) ?? [])}`);
  return { files, report };
}

function all(testFiles: readonly string[], reason: string): Selection {
  return { files: [...testFiles], report: [`All test files are run: ${reason}`] };
}

/** The chain from a change to a test file, with at most three files between. */
function why(root: string, trail: Trail): string {
  const names = trail.slice(0, -1).map((file) => relative(root, file));
  if (names.length === 0) return " (changed itself)";
  const [changed = "", ...between] = names;
  const through = between.length > 3 ? [...between.slice(0, 1), "...", ...between.slice(-1)] : between;
  return ` (${[changed, ...through].join(" <- ")})`;
}
