import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObserveSql } from "../../src/platform/storage/storage.ts";

/** Where the processes of a test run leave the statements that they saw; scripts/test.ts makes it. */
const DIRECTORY = process.env.PORTICO_TEST_STATEMENTS;

const seen = { sqlite: new Set<string>(), postgres: new Set<string>() };
let isLeft = false;

/** Collects the statements of a world in this process, to be left for others when it ends; undefined where nobody asks. */
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

/** Whether a test asks the database something by itself, rather than the service on its behalf. */
function isOfATest(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  // Whoever is nearest asks: a test may be called back by the service, and the service by a test.
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
  writeFileSync(join(directory, `${process.pid}.json`), JSON.stringify(statements));
}

/** What all processes have left, one of those that differ only in how many values a list has. */
export function leftStatements(engine: "sqlite" | "postgres"): string[] {
  const byShape = new Map<string, string>();
  for (const file of DIRECTORY === undefined ? [] : readdirSync(DIRECTORY)) {
    const { [engine]: statements } = JSON.parse(readFileSync(join(DIRECTORY ?? "", file), "utf8"));
    for (const sql of statements) byShape.set(shapeOf(sql), sql);
  }
  return [...byShape.values()].sort();
}

/** The statement without numbers of parameters, each list of values written as one. */
function shapeOf(sql: string): string {
  return sql
    .replaceAll(/\$\d+/g, "?")
    .replaceAll(/\?(, \?)+/g, "?")
    .replaceAll(/\(\?\)(, \(\?\))+/g, "(?)");
}
