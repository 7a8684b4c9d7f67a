import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { DELIVERY_FAILURES, DROP_REASONS } from "./deliveries.ts";
import { COMMAND_EXITS, SERVICE_EXITS } from "./exits.ts";
import { ERROR_CODES, ERRORS, type ErrorCode, errorRow } from "./index.ts";
import { SIGN_IN_PROBLEMS } from "./sign-in-problems.ts";
import { PROTOCOL_CLOSES, STREAM_CLOSES } from "./streams.ts";

const page = readFileSync(new URL("../../../../docs/contract/errors.md", import.meta.url), "utf8");

/** The rows of all tables with the given header; cells without backquotes. */
function rowsUnder(header: string): string[][] {
  const lines = page.split("\n");
  const rows: string[][] = [];
  for (const [index, line] of lines.entries()) {
    if (line !== `| ${header} |`) continue;
    assert.match(lines[index + 1] ?? "", /^\|(---\|)+$/);
    for (const row of lines.slice(index + 2)) {
      if (!row.startsWith("| ")) break;
      const cells = row.slice(2, -2).split(" | ");
      assert.equal(cells.length, header.split(" | ").length, row);
      for (const cell of cells) assert.notEqual(cell.trim(), "", row);
      rows.push(cells.map((cell) => cell.replace(/^`(.*)`$/, "$1")));
    }
  }
  return rows;
}

/** Removes the column with the advice, which the code's tables do not have. */
function withoutRemedy(cells: string[], column: number): string[] {
  return cells.filter((_, index) => index !== column);
}

/** Whether a retry of the same call can succeed: the service was overloaded, or failed. */
function again(status: number): string {
  return status === 429 || status >= 500 ? "later" : "no";
}

const OPEN = "errorCode | HTTP | code | message | meaning | what to do | again";
const CONSOLE = "errorCode | HTTP | message | meaning | what to do | again";

function openRow(errorCode: ErrorCode): string[] {
  const { status, kind, message, english } = errorRow(errorCode);
  const code = kind === null ? [] : [ERRORS[kind].code];
  return [errorCode, `${status}`, ...code, message, english, again(status)];
}

/** Reports rows that are missing on the page, additional, or different. */
function assertSame(onPage: string[][], inTables: string[][]): void {
  const sorted = (rows: string[][]) => rows.map((cells) => cells.join(" | ")).toSorted();
  assert.deepEqual(sorted(onPage), sorted(inTables));
}

describe("docs/contract/errors.md", () => {
  test("has every error of the open API and of the people's APIs, as in the code's tables", () => {
    const codes = ERROR_CODES.filter((errorCode) => errorRow(errorCode).kind !== null);
    const onPage = rowsUnder(OPEN).map((cells) => withoutRemedy(cells, 5));
    assertSame(onPage, codes.map(openRow));
  });
  test("has every error of the console API, as in the code's table", () => {
    const codes = ERROR_CODES.filter((errorCode) => errorRow(errorCode).kind === null);
    const onPage = rowsUnder(CONSOLE).map((cells) => withoutRemedy(cells, 4));
    assertSame(onPage, codes.map(openRow));
  });
  test("has every close code of a stream", () => {
    const onPage = rowsUnder("close code | reason | cause | what to do | again");
    assertSame(
      onPage.map(([code = "", reason = ""]) => [code, reason]),
      Object.values(STREAM_CLOSES).map(({ code, reason }) => [`${code}`, reason]),
    );
    assertSame(
      rowsUnder("close code | cause | what to do | again").map(([code = ""]) => [code]),
      Object.values(PROTOCOL_CLOSES).map((code) => [`${code}`]),
    );
  });
  test("has the error frames with the messages of the table", () => {
    const rows = rowsUnder("frame | errorCode | code | message");
    assert.equal(rows.length, 2);
    for (const [, errorCode = "", code, message] of rows) {
      const found = ERROR_CODES.find((each) => each === errorCode);
      assert.ok(found !== undefined, errorCode);
      const { kind, message: words } = errorRow(found);
      assert.deepEqual([kind && ERRORS[kind].code, words], [code, message]);
    }
  });
  test("has every reason for a failed or dropped delivery", () => {
    const reasons = (header: string) => rowsUnder(header).map(([reason = ""]) => [reason]);
    const listed = (all: readonly string[]) => all.map((reason) => [reason]);
    assertSame(reasons("reason | cause | what to do"), listed(DELIVERY_FAILURES));
    assertSame(reasons("lastReason | cause | what to do"), listed(DROP_REASONS));
  });
  test("has every exit code of the service and of the command", () => {
    const onPage = rowsUnder("process | exit code | cause | what to do");
    const exits = (process: string, codes: object) => Object.values(codes).map((code) => [process, `${code}`]);
    assertSame(
      onPage.map(([process = "", code = ""]) => [process, code]),
      [...exits("the service", SERVICE_EXITS), ...exits("portico", COMMAND_EXITS)],
    );
  });
  test("has every page of a sign-in with a provider", () => {
    assertSame(
      rowsUnder("problem | HTTP | message | meaning | what to do"),
      Object.entries(SIGN_IN_PROBLEMS).map(([problem, { status, message, english, todo }]) => [
        ...[problem, `${status}`, message, english],
        todo["en-US"],
      ]),
    );
  });
  test("stands alone", () => {
    assert.doesNotMatch(page, /spec\.md|design\.md/);
  });
});
