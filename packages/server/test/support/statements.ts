import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObserveSql } from "../../src/platform/storage/storage.ts";

/** The directory for the statements seen by a test run's processes; scripts/test.ts creates it. */
const DIRECTORY = process.env.PORTICO_TEST_STATEMENTS;

const seen = { sqlite: new Set<string>(), postgres: new Set<string>() };
let isLeft = false;

/**
 * Collects the statements of a world in this process and writes them when the process ends; undefined when not needed.
 */
export function statementsOf(engine: "sqlite" | "postgres"): ObserveSql | undefined {
  if (DIRECTORY === undefined) return undefined;
  if (!isLeft) {
    isLeft = true;
    process.once("exit", () => leaveIn(DIRECTORY));
  }
  return (sql) => {
    if (!seen[engine].has(sql) && !isOfATest()) seen[engine].add(sql);
  };
}

/** Whether a test, not the service, runs the statement. */
function isOfATest(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  // The nearest frame decides: the service may call back a test, and a test calls the service.
  const asker = stack
    .split("\n")
    .find(
      (line) => OURS.test(line) && !line.includes("/server/src/platform/storage/") && !line.includes(import.meta.url),
    );
  return asker !== undefined && OF_A_TEST.test(asker);
}

const OURS = /\/packages\/[a-z]+\/(src|test)\//;
const OF_A_TEST = /\/packages\/[a-z]+\/test\//;

function leaveIn(directory: string): void {
  const statements = { sqlite: [...seen.sqlite], postgres: [...seen.postgres] };
  // Beside those of earlier runs, whose processes may have had the same number.
  writeFileSync(join(directory, `${process.pid}-${randomUUID()}.json`), JSON.stringify(statements));
}

/** The statements of all processes; of those that differ only in the length of a list, the longest. */
export function leftStatements(engine: "sqlite" | "postgres"): string[] {
  const byShape = new Map<string, string>();
  for (const file of DIRECTORY === undefined ? [] : readdirSync(DIRECTORY)) {
    const { [engine]: statements } = JSON.parse(readFileSync(join(DIRECTORY ?? "", file), "utf8"));
    for (const sql of statements) {
      const shape = shapeOf(sql);
      // A planner may do with a long list what it would not do with a short one.
      if (sql.length > (byShape.get(shape)?.length ?? 0)) byShape.set(shape, sql);
    }
  }
  return [...byShape.values()].sort();
}

/** The statement without parameter numbers, with each list of values shortened to one. */
function shapeOf(sql: string): string {
  return sql
    .replaceAll(/\$\d+/g, "?")
    .replaceAll(/\?(, \?)+/g, "?")
    .replaceAll(/\(\?\)(, \(\?\))+/g, "(?)");
}
