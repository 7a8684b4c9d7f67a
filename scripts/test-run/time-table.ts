import type { FileEvents } from "./process-runner.ts";

/** The duration of a file and of its tests, and the processor time of both, in milliseconds. */
export interface FileTime {
  file: string;
  wholeMs: number;
  testsMs: number;
  processorMs: number;
  tests: number;
}

/** Adds up the durations of a file's tests; the rest of the file's time is start, loading, hooks and exit. */
export function timeOf(file: string, wholeMs: number, { events, processorMs }: FileEvents): FileTime {
  const parents = new Set<number | undefined>();
  const ended: { testId: number; ms: number }[] = [];
  for (const { type, data } of events) {
    if (type === "test:start") parents.add(data.parentId);
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (data.details.type !== "suite") ended.push({ testId: data.testId, ms: data.details.duration_ms });
  }
  const leaves = ended.filter(({ testId }) => !parents.has(testId));
  return { file, wholeMs, testsMs: leaves.reduce((sum, { ms }) => sum + ms, 0), processorMs, tests: leaves.length };
}

/** The slowest files and the sum of all, line by line. */
export function timeTable(times: readonly FileTime[], rows: number): string[] {
  const slowest = times.toSorted((a, b) => b.wholeMs - a.wholeMs).slice(0, rows);
  const sum: FileTime = { file: `all ${times.length} files`, wholeMs: 0, testsMs: 0, processorMs: 0, tests: 0 };
  for (const { wholeMs, testsMs, processorMs, tests } of times) {
    sum.wholeMs += wholeMs;
    sum.testsMs += testsMs;
    sum.processorMs += processorMs;
    sum.tests += tests;
  }
  const heading = "   whole   tests  set-up     CPU   count";
  return [heading, ...[...slowest, sum].map(line)];
}

function line({ file, wholeMs, testsMs, processorMs, tests }: FileTime): string {
  const setUpMs = Math.max(0, wholeMs - testsMs);
  return `${[wholeMs, testsMs, setUpMs, processorMs].map(seconds).join("")}${String(tests).padStart(8)}  ${file}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(8);
}
