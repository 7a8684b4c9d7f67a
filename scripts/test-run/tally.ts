import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";

/** The results of a file's tests. A name is a path: file, suites, test. */
export interface Tally {
  passed: number;
  failed: { name: string; message: string }[];
  skipped: { name: string; reason: string }[];
}

/**
 * Counts the tests in the events of one file's run. A suite, or a test with subtests, counts only if it failed itself,
 * or was skipped together with its tests. A todo test counts as skipped.
 */
export function tally(file: string, events: TestEvent[]): Tally {
  const result: Tally = { passed: 0, failed: [], skipped: [] };
  const names = new Map<number, string>();
  const parents = new Set<number>();
  const failedParents = new Set<number>();

  for (const { type, data } of events) {
    if (type === "test:start") {
      names.set(data.testId, `${nameOf(data.parentId)} > ${data.name}`);
      if (data.parentId !== undefined) parents.add(data.parentId);
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { testId, parentId } = data;
    if (data.skip !== undefined) {
      result.skipped.push({
        name: nameOf(testId),
        reason: typeof data.skip === "string" ? data.skip : "no reason given",
      });
    } else if (data.todo !== undefined) {
      result.skipped.push({
        name: nameOf(testId),
        reason: typeof data.todo === "string" ? `to do: ${data.todo}` : "to do",
      });
    } else if (type === "test:fail") {
      const { message } = data.details.error;
      if (data.name === file) result.failed.push({ name: relative("", file), message });
      else if (!failedParents.has(testId)) result.failed.push({ name: nameOf(testId), message });
      if (parentId !== undefined) failedParents.add(parentId);
    } else if (!parents.has(testId) && data.details.type !== "suite") {
      result.passed += 1;
    }
  }
  return result;

  function nameOf(testId: number | undefined): string {
    return (testId === undefined ? undefined : names.get(testId)) ?? relative("", file);
  }
}

const LINES_SHOWN = 4;
const LINE_CHARS = 200;

/** A failed test with the beginning of its message, line by line. */
export function failureLines({ name, message }: Tally["failed"][number]): string[] {
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  const shown = lines
    .slice(0, LINES_SHOWN)
    .map((line) => (line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}…` : line));
  return [name, ...[...shown, ...(lines.length > shown.length ? ["…"] : [])].map((line) => `  ${line}`)];
}
