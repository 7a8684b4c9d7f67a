import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { makeRoomForConnections } from "./descriptor-table.ts";

/** The size of this process's table of descriptors, as the kernel tells it. */
function tableSize(): number {
  return Number(/^FDSize:\s*(\d+)$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]);
}

test("the kernel's table of descriptors has room for all connections before the first comes", (t) => {
  if (process.platform !== "linux") return t.skip("only Linux makes a process wait for it");
  const asked = 2_000;
  assert.ok(tableSize() < asked, "the table is small to begin with");
  makeRoomForConnections(asked);
  assert.ok(tableSize() >= asked + 1_024);
});
