import type { Schema } from "../../src/storage/schema.ts";
import type { World } from "./world.ts";

/** All tables of a world's database: for each its rows, in an order of their own. */
export async function dumpTables(world: World): Promise<Record<string, Record<string, unknown>[]>> {
  const { db } = world.portico.ctx.storage;
  const dump: Record<string, Record<string, unknown>[]> = {};
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute();
    dump[name] = rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return dump;
}
