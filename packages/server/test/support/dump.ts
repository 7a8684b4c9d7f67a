import type { Schema } from "../../src/platform/storage/schema.ts";
import type { World } from "./world.ts";

/** PostgreSQL's partitions of the request log, whose rows are those of `requests`. */
export const REQUEST_PARTITION = /^requests_(default|\d{8})$/;

/** All tables of a world's database, each with its rows in a fixed order, without the clocks' times. */
export async function dumpTables(world: World): Promise<Record<string, Record<string, unknown>[]>> {
  const { db } = world.portico.ctx.storage;
  const dump: Record<string, Record<string, unknown>[]> = {};
  for (const { name } of await db.introspection.getTables()) {
    if (REQUEST_PARTITION.test(name)) continue;
    const rows = await db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute();
    dump[name] = rows
      .filter((row) => !(name === "meta" && "name" in row && row.name === "clocks"))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return dump;
}

/** The keys in `meta` under which the service stores times. */
const TIMES = new Set([
  "clocks",
  "nonces-emptied-to",
  "customer-texts-up-to",
  "audit-head",
  "anonymous-visitors-up-to",
]);

/** {@link dumpTables} without traces of calls, of processes and of passing time. */
export async function dumpLasting(world: World): Promise<Record<string, Record<string, unknown>[]>> {
  const {
    requests: _,
    quota_days: __,
    quota_uses: _______,
    call_counts: ___,
    call_errors: ____,
    processes: _____,
    // Salted, and so different each time.
    audit_links: ______,
    meta = [],
    ...tables
  } = await dumpTables(world);
  return { ...tables, meta: meta.filter(({ name }) => !TIMES.has(String(name))) };
}

const SEALED = new Set(["secret_box", "password_hash"]);

/** {@link dumpLasting} for a comparison: without sealed and hashed values, which differ each time. */
export async function dumpComparable(world: World) {
  return Object.fromEntries(
    Object.entries(await dumpLasting(world)).map(([table, rows]) => [
      table,
      rows
        .map(({ last_used_at: _, ...row }) =>
          Object.entries(row).map(([column, value]) => [column, SEALED.has(column) && value ? "…" : value]),
        )
        .map((entries) => Object.fromEntries(entries)),
    ]),
  );
}
