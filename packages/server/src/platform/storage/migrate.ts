import { ConfigError } from "../config/config-error.ts";
import { MIGRATIONS, type Migration } from "./migrations/migrations.ts";
import { hasTable, recordedMigrations, recordMigrations } from "./migrations/record.ts";
import { indexedColumns } from "./postgres/concurrent-index.ts";
import { migrateBesideOthers } from "./postgres/migrate-beside-others.ts";
import type { Db, Dialect } from "./schema.ts";

const NAMES = Object.keys(MIGRATIONS).sort();

/** The table of a database that `portico move` fills, until all of it is there. */
export const MOVE_TABLE = "portico_move";

/** Whether this version has a migration of this name. */
export function isKnownMigration(name: string): boolean {
  return Object.hasOwn(MIGRATIONS, name);
}

/**
 * Up to which migration a database has them all, of the names in its table: the newest of those that this version does not
 * know, if there are any. Null when it has none.
 */
export function versionOf(applied: readonly string[]): string | null {
  const newer = applied.filter((name) => !isKnownMigration(name)).sort();
  if (newer.length > 0) return newer.at(-1) ?? null;
  const missing = NAMES.findIndex((name) => !applied.includes(name));
  return NAMES[(missing === -1 ? NAMES.length : missing) - 1] ?? null;
}

/** The newest migration of this version. */
export const LATEST_MIGRATION = NAMES.at(-1);

/**
 * Applies pending migrations; there are no down migrations. On SQLite all run in one transaction, on PostgreSQL each runs in
 * its own, beside others who work (see {@link migrateBesideOthers}).
 *
 * @param until the last of them; by default all of this version.
 * @throws ConfigError when a newer version has migrated the database, or a move into it is not complete.
 */
export async function migrate(db: Db, dialect: Dialect, until?: string): Promise<void> {
  await refuseForeignState(db, dialect);
  const migrations = Object.entries(MIGRATIONS).filter(([name]) => until === undefined || name <= until);
  try {
    if (dialect === "postgres") return await migrateBesideOthers(db, migrations);
    await db.transaction().execute((tx) => migrateAtOnce(tx, migrations));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new Error("migrating the database failed", { cause: error });
  }
}

/** A start that is killed during a migration, or finds the disk full, leaves the database as it was. */
async function migrateAtOnce(tx: Db, migrations: readonly (readonly [name: string, Migration])[]): Promise<void> {
  const recorded = await recordedMigrations(tx, "sqlite");
  const pending = migrations.filter(([name]) => !recorded.includes(name));
  if (pending.length === 0) return;
  for (const [, { up, indexes = [] }] of pending) {
    for (const { name, table, columns } of indexes) {
      await tx.schema.createIndex(name).on(table).expression(indexedColumns("sqlite", columns)).execute();
    }
    await up(tx, "sqlite");
  }
  await recordMigrations(
    tx,
    pending.map(([name]) => name),
    "sqlite",
  );
}

/** Refuses a database that is not all there yet, and one that a newer version has migrated. */
async function refuseForeignState(db: Db, dialect: Dialect): Promise<void> {
  if (await hasTable(db, MOVE_TABLE, dialect)) {
    throw new ConfigError(
      "a move into this database is not complete: run the same `portico move` again to complete it",
    );
  }
  const newer = await newerMigrations(db, dialect);
  if (newer.length > 0) {
    throw new ConfigError(
      `the database was written by a newer version of Portico (it has ${newer.join(", ")}): start that version, or restore a backup`,
    );
  }
}

/** The applied migrations that this version does not know. */
export async function newerMigrations(db: Db, dialect: Dialect): Promise<string[]> {
  return (await recordedMigrations(db, dialect)).filter((name) => !isKnownMigration(name));
}
