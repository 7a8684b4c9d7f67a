import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { exportRecords } from "./export-records.ts";

const PAGES = new Map<string | undefined, { items: unknown[]; nextCursor: string | null }>([
  [undefined, { items: [{ kind: "member", record: { name: "Ann" } }], nextCursor: "message:1" }],
  ["message:1", { items: [], nextCursor: "message:2" }],
  ["message:2", { items: [{ kind: "message" }, { kind: "note" }], nextCursor: null }],
]);
const load = async (cursor: string | undefined) => PAGES.get(cursor) ?? { items: [], nextCursor: null };
const never = () => false;

describe("an export of what is stored about somebody", () => {
  test("has a line for each record, through empty pages to the last", async () => {
    const read: number[] = [];
    const all = await exportRecords(load, { onProgress: (records) => read.push(records), isStopped: never });
    assert.equal(all?.records, 3);
    assert.deepEqual(read, [1, 1, 3]);
    const text = await new Blob(all?.lines).text();
    assert.equal(text, '{"kind":"member","record":{"name":"Ann"}}\n{"kind":"message"}\n{"kind":"note"}\n');
  });

  test("ends without a file when it is stopped, and with an error when it would go in circles", async () => {
    const progress = { onProgress: () => {} };
    let asked = 0;
    assert.equal(await exportRecords(load, { ...progress, isStopped: () => ++asked > 1 }), null);
    const circle = async () => ({ items: [], nextCursor: "message:1" });
    await assert.rejects(exportRecords(circle, { ...progress, isStopped: never }), /does not go on/);
  });
});
