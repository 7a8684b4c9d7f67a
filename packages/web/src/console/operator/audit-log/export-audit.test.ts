import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AuditEntry } from "@portico/protocol";
import { exportAudit, MOST_ENTRIES } from "./export-audit.ts";

const ENTRY: AuditEntry = {
  auditId: 1,
  at: 1_800_000_000_000,
  actor: { type: "DEVELOPER", id: "dev_1", name: "Olga" },
  action: "app.disable",
  target: "app:app_1",
  appId: "app_1",
  tenantId: "t_1",
  before: { status: "ACTIVE" },
  after: { status: "DISABLED", reason: 'it "spams",\nall day' },
  address: "192.0.2.1",
};
const QUIET = { onProgress: () => {}, isStopped: () => false };

/** Pages of so many entries. */
function log(pages: readonly number[]) {
  return async ({ before = pages.length }: { before: number | undefined }) => ({
    items: Array.from({ length: pages[pages.length - before] ?? 0 }, () => ENTRY),
    nextBefore: before > 1 ? before - 1 : null,
  });
}

describe("an export of the audit log", () => {
  it("has all pages, empty ones in between too", async () => {
    const { text, entries, isWhole } = await exportAudit("jsonl", log([2, 0, 1]), QUIET);
    assert.deepEqual([entries, isWhole], [3, true]);
    assert.deepEqual(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
      [ENTRY, ENTRY, ENTRY],
    );
  });
  it("as CSV has a header and quotes every value", async () => {
    const { text } = await exportAudit("csv", log([1]), QUIET);
    assert.ok(text.startsWith('\uFEFF"auditId","at","actorType"'));
    assert.ok(text.includes('"2027-01-15T08:00:00.000Z","DEVELOPER","dev_1","Olga"'));
    assert.ok(text.endsWith('"{""status"":""DISABLED"",""reason"":""it \\""spams\\"",\\nall day""}"\r\n'));
  });
  it("ends at a bound, and says so", async () => {
    const { entries, isWhole } = await exportAudit("jsonl", log([MOST_ENTRIES, 1]), QUIET);
    assert.deepEqual([entries, isWhole], [MOST_ENTRIES, false]);
  });
  it("ends when it is stopped, with what it has", async () => {
    let asked = 0;
    const { entries, isWhole } = await exportAudit("jsonl", log([1, 1, 1]), {
      onProgress: () => asked++,
      isStopped: () => asked === 1,
    });
    assert.deepEqual([entries, isWhole], [1, false]);
  });
});
