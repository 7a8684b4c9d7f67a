import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { ConfigError } from "../config/config-error.ts";
import { up as foundation } from "./migrations/0001-foundation.ts";
import { up as botMessages } from "./migrations/0002-bot-messages.ts";
import { up as events } from "./migrations/0003-events.ts";
import { up as developerConsole } from "./migrations/0004-console.ts";
import { up as consoleLife } from "./migrations/0005-console-life.ts";
import { up as customerService } from "./migrations/0006-customer-service.ts";
import { up as provisioned } from "./migrations/0007-provisioned.ts";
import { up as search } from "./migrations/0008-search.ts";
import { up as installationOrder } from "./migrations/0009-installation-order.ts";
import { up as sparePages } from "./migrations/0011-spare-pages.ts";
import { up as agentUserId } from "./migrations/0012-agent-user-id.ts";
import { up as memberLogins } from "./migrations/0013-member-logins.ts";
import { up as memberReads } from "./migrations/0014-member-reads.ts";
import { up as callFigures } from "./migrations/0015-call-figures.ts";
import { up as disabledReason } from "./migrations/0016-disabled-reason.ts";
import { up as socketMode } from "./migrations/0017-socket-mode.ts";
import { up as rehearsals } from "./migrations/0018-rehearsals.ts";
import { up as widgets } from "./migrations/0019-widgets.ts";
import { up as customerNotes } from "./migrations/0020-customer-notes.ts";
import { up as customerSearch } from "./migrations/0021-customer-search.ts";
import { up as cannedReplies } from "./migrations/0022-canned-replies.ts";
import { up as deskFigures } from "./migrations/0023-desk-figures.ts";
import { up as operatorConsole } from "./migrations/0024-operator-console.ts";
import { up as secondFactor } from "./migrations/0025-second-factor.ts";
import { up as deskNames } from "./migrations/0026-desk-names.ts";
import { up as signInByProvider } from "./migrations/0027-sign-in-by-provider.ts";
import { up as auditChain } from "./migrations/0028-audit-chain.ts";
import { up as scim } from "./migrations/0029-scim.ts";
import { up as qrLoginsByPerson } from "./migrations/0030-qr-logins-by-person.ts";
import { up as secondFactorFailures } from "./migrations/0031-second-factor-failures.ts";
import type { Db, Dialect } from "./schema.ts";

const MIGRATIONS = {
  "0001-foundation": foundation,
  "0002-bot-messages": botMessages,
  "0003-events": events,
  "0004-console": developerConsole,
  "0005-console-life": consoleLife,
  "0006-customer-service": customerService,
  "0007-provisioned": provisioned,
  "0008-search": search,
  "0009-installation-order": installationOrder,
  "0011-spare-pages": sparePages,
  "0012-agent-user-id": agentUserId,
  "0013-member-logins": memberLogins,
  "0014-member-reads": memberReads,
  "0015-call-figures": callFigures,
  "0016-disabled-reason": disabledReason,
  "0017-socket-mode": socketMode,
  "0018-rehearsals": rehearsals,
  "0019-widgets": widgets,
  "0020-customer-notes": customerNotes,
  "0021-customer-search": customerSearch,
  "0022-canned-replies": cannedReplies,
  "0023-desk-figures": deskFigures,
  "0024-operator-console": operatorConsole,
  "0025-second-factor": secondFactor,
  "0026-desk-names": deskNames,
  "0027-sign-in-by-provider": signInByProvider,
  "0028-audit-chain": auditChain,
  "0029-scim": scim,
  "0030-qr-logins-by-person": qrLoginsByPerson,
  "0031-second-factor-failures": secondFactorFailures,
};

/** The table of a database that `portico move` fills, until all of it is there. */
export const MOVE_TABLE = "portico_move";

/** The most that a migration waits for a lock on PostgreSQL, for meanwhile others wait behind it. */
const LOCK_TIMEOUT_MS = 500;
/** Then it begins anew after a pause, until somebody has to look into it. */
const PAUSE_MS = 1_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;
/** PostgreSQL's codes for a lock that was not available, and for a deadlock. */
const LOCKED = new Set<unknown>(["55P03", "40P01"]);

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
  const names = Object.keys(MIGRATIONS).sort();
  const missing = names.findIndex((name) => !applied.includes(name));
  return names[(missing === -1 ? names.length : missing) - 1] ?? null;
}

/** The newest migration of this version. */
export const LATEST_MIGRATION = Object.keys(MIGRATIONS).sort().at(-1);

/**
 * Applies pending migrations under the migrator's lock; there are no down migrations.
 *
 * @throws ConfigError when a newer version has migrated the database, or a move into it is not complete.
 */
export async function migrate(db: Db, dialect: Dialect): Promise<void> {
  await refuseForeignState(db);
  const migrator = migratorOf(db, dialect);
  for (const began = performance.now(); ; await setTimeout(PAUSE_MS)) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    const isLocked = error instanceof Error && "code" in error && LOCKED.has(error.code);
    if (isLocked && performance.now() - began < GIVE_UP_AFTER_MS) continue;
    throw new Error("migrating the database failed", { cause: error });
  }
}

/** Runs this version's migrations, all in one transaction. */
export function migratorOf(db: Db, dialect: Dialect): Migrator {
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, up]) => [name, { up: (target: Db) => impatiently(up, target, dialect) }]),
  );
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/**
 * On PostgreSQL a change of a table waits for everybody who uses it, such as `pg_dump`, and everybody who comes later
 * waits behind it.
 */
async function impatiently(
  up: (target: Db, dialect: Dialect) => Promise<void>,
  target: Db,
  dialect: Dialect,
): Promise<void> {
  if (dialect === "postgres") await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(target);
  await up(target, dialect);
}

/**
 * Refuses a database that is not all there yet, and one that a newer version has migrated; Kysely's migrator would call its
 * migrations corrupted.
 */
async function refuseForeignState(db: Db): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (tables.some((table) => table.name === MOVE_TABLE)) {
    throw new ConfigError(
      "a move into this database is not complete: run the same `portico move` again to complete it",
    );
  }
  if (!tables.some((table) => table.name === "kysely_migration")) return;
  const newer = await newerMigrations(db);
  if (newer.length > 0) {
    throw new ConfigError(
      `the database was written by a newer version of Portico (it has ${newer.join(", ")}): start that version, or restore a backup`,
    );
  }
}

/** The applied migrations that this version does not know. */
export async function newerMigrations(db: Db): Promise<string[]> {
  const applied = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  return applied.map(({ name }) => name).filter((name) => !Object.hasOwn(MIGRATIONS, name));
}
