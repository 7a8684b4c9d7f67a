import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Db } from "../src/platform/storage/schema.ts";
import { sqlite } from "./support/engines.ts";
import { World } from "./support/world.ts";

test("a unit that ignores that the engine has rolled back its batch fails with all of the batch", async (t) => {
  const world = await World.create(sqlite, { tenants: [] });
  t.after(() => world.dispose());
  const { storage } = world.portico.ctx;
  const note = (tx: Db, name: string) =>
    sql`insert or rollback into meta (name, value) values (${name}, '')`.execute(tx);

  const results = await Promise.allSettled([
    storage.write((tx) => note(tx, "first")),
    storage.write(async (tx) => {
      await note(tx, "first").catch(() => {});
      return "I have noted it";
    }),
    storage.write((tx) => note(tx, "third")),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected", "rejected"],
  );
  for (const name of ["first", "third"]) {
    const { rows } = await sql`select name from meta where name = ${name}`.execute(storage.db);
    assert.deepEqual(rows, []);
  }
  await storage.write((tx) => note(tx, "later"));
});
