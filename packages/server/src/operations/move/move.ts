import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type pg from "pg";
import { pino } from "pino";
import type { Config } from "../../platform/config/config.ts";
import { ConfigError } from "../../platform/config/config-error.ts";
import { loadConfig } from "../../platform/config/load-config.ts";
import { secretIn } from "../../platform/config/settings.ts";
import { faultOf, readKeyState } from "../../platform/crypto/key-state.ts";
import { readMasterKeys } from "../../platform/crypto/master-key-file.ts";
import { openDataDir } from "../../platform/disk/private-files.ts";
import { schemaState } from "../../platform/storage/schema-state.ts";
import { lockDataDir } from "../../platform/storage/sqlite/instance-lock.ts";
import { type MovedMark, readMovedMark, writeMovedMark } from "../../platform/storage/sqlite/moved-mark.ts";
import { DATABASE_FILE, openSqlite } from "../../platform/storage/sqlite/sqlite.ts";
import { openBlobs } from "../../service/open-blobs.ts";
import { type Contents, contentsOfSource, contentsOfTarget } from "./contents.ts";
import { copyFiles, type MovedFiles } from "./copy-files.ts";
import { copyTable } from "./copy-table.ts";
import { type MovedTable, movedTables } from "./moved-tables.ts";
import {
  claimTarget,
  describeTarget,
  makeDurable,
  moveIdAt,
  openTarget,
  refuseUnusable,
  releaseTarget,
} from "./target.ts";

/** Rows of a table after which progress is told. */
const TELL_EVERY = 20_000;

/** How a store is moved. */
export interface MoveOptions {
  /** URL of PostgreSQL; null: that of `PORTICO_DATABASE_URL`, or of the file that `PORTICO_DATABASE_URL_FILE` names. */
  to: string | null;
  progress?: (line: string) => void;
  /** Ends the work; the same call continues it. */
  signal?: AbortSignal;
}

/** What was moved, as both sides have it. */
export interface MoveReport {
  /** Host and name of the destination. */
  to: string;
  /** False when an earlier run had completed the move. */
  isNew: boolean;
  tables: ({ name: string } & Contents)[];
  /** Texts in which NUL, which PostgreSQL cannot store, was replaced by U+FFFD. */
  replaced: number;
  /** Null: they stay in the data directory, or in S3. */
  files: MovedFiles | null;
}

/**
 * Moves the embedded store, whose service must not be running, to an empty database of PostgreSQL: all rows, compared on
 * both sides afterwards, and with `blobs.kind` s3 the contents of files. Afterwards nothing starts on the old data
 * directory as an embedded service. Interrupted at any moment, the same call continues.
 *
 * @throws ConfigError with a message for the operator.
 */
export async function moveStore(
  env: NodeJS.ProcessEnv,
  { to, progress = () => {}, signal }: MoveOptions,
): Promise<MoveReport> {
  const url = to ?? secretIn(env, "PORTICO_DATABASE_URL");
  if (url === null) throw new ConfigError("name the destination with --to, or with PORTICO_DATABASE_URL");
  const config = embeddedConfig(env);
  const { dataDir } = config;
  const path = join(dataDir, DATABASE_FILE);
  if (!existsSync(path))
    throw new ConfigError(`there is no ${path}: set PORTICO_DATA_DIR to the service's data directory`);
  await using opened = new AsyncDisposableStack();
  opened.adopt(lockDataDir(dataDir), (lock) => lock.release());
  const target = opened.adopt(await openTarget(url), (client) => client.end());
  const mark = readMovedMark(dataDir) ?? (await markFor(config, describeTarget(url)));
  if (mark.completedAt !== null) return await finished(mark, target, url);
  await claim(target, url, mark, dataDir);

  const source = opened.adopt(new Database(path, { readonly: true }), (database) => void database.close());
  const tables = await movedTables(source, target);
  for (const table of tables) await copyWithWords(table, { source, target, progress, signal });
  const files = await moveFiles(config, { source, target, progress, signal }, opened);
  // Before it is compared and called complete: a crash of PostgreSQL afterwards takes nothing back.
  await makeDurable(target);
  const compared = await compare(tables, { source, target, progress, signal });
  await writeMovedMark(dataDir, { ...mark, completedAt: Date.now() });
  await releaseTarget(target);
  return { to: mark.to, isNew: true, ...compared, files };
}

/** The configuration without what makes a service distributed. */
function embeddedConfig(env: NodeJS.ProcessEnv): Config {
  const embedded = { ...env };
  for (const name of ["DATABASE_URL", "REDIS_URL"]) {
    delete embedded[`PORTICO_${name}`];
    delete embedded[`PORTICO_${name}_FILE`];
  }
  const config = loadConfig(embedded);
  if (config.distributed === null) return config;
  throw new ConfigError("the configuration file has databaseUrl already: take it out until the store has been moved");
}

/** The mark of a move that begins. The database is made whole first, as a start would, and read only from then on. */
async function markFor(config: Config, to: string): Promise<MovedMark> {
  if ((await schemaState(config)) !== "current") {
    throw new ConfigError("the store has the schema of another version of Portico: run `portico migrate` first");
  }
  const log = pino({ level: "warn" }, pino.destination(2));
  await openDataDir(config.dataDir, log);
  const storage = await openSqlite(config.dataDir, { log });
  try {
    const keys = readMasterKeys(config);
    const fault = keys.length === 0 ? null : faultOf(await readKeyState(storage.db), keys);
    if (fault !== null) throw new ConfigError(fault);
  } finally {
    await storage.close();
  }
  return { moveId: randomUUID(), to, startedAt: Date.now(), completedAt: null };
}

/** The mark comes before the first row: a service that is started meanwhile must not write what would not be moved. */
async function claim(target: pg.Client, url: string, mark: MovedMark, dataDir: string): Promise<void> {
  if (mark.to !== describeTarget(url))
    throw new ConfigError(`this store is on its way to ${mark.to}: name that destination`);
  await refuseUnusable(target, mark.moveId);
  await writeMovedMark(dataDir, mark);
  await claimTarget(target, url, mark.moveId);
}

/** Whoever was killed after the last step may not have let services start there. */
async function finished({ moveId, to }: MovedMark, target: pg.Client, url: string): Promise<MoveReport> {
  if (to !== describeTarget(url)) throw new ConfigError(`this store was moved to ${to} already`);
  if ((await moveIdAt(target)) === moveId) await releaseTarget(target);
  return { to, isNew: false, tables: [], replaced: 0, files: null };
}

interface Moving {
  source: Database.Database;
  target: pg.Client;
  progress: (line: string) => void;
  signal?: AbortSignal | undefined;
}

async function copyWithWords(table: MovedTable, { source, target, progress, signal }: Moving): Promise<void> {
  const total = source.prepare<[], number>(`select count(*) from "${table.name}"`).pluck().get() ?? 0;
  let next = TELL_EVERY;
  const told = (rows: number) => {
    if (rows < next) return;
    progress(`${table.name}: ${rows} of ${total}`);
    next = rows + TELL_EVERY;
  };
  await copyTable(table, { source, target, told, signal });
  if (total > 0) progress(`${table.name}: ${total} rows are there`);
}

async function moveFiles(config: Config, moving: Moving, opened: AsyncDisposableStack): Promise<MovedFiles | null> {
  if (config.blobs.kind === "disk") return null;
  const blobs = opened.adopt(await openBlobs(config), (open) => open.close());
  moving.progress("files");
  return await copyFiles({ ...moving, dataDir: config.dataDir, blobs });
}

/** @throws when the sides differ. */
async function compare(tables: readonly MovedTable[], { source, target, progress, signal }: Moving) {
  const compared: MoveReport["tables"] = [];
  let allReplaced = 0;
  progress("comparing");
  for (const table of tables) {
    signal?.throwIfAborted();
    const { replaced, ...here } = await contentsOfSource(source, table, signal);
    const there = await contentsOfTarget(target, table);
    if (here.rows !== there.rows || here.hash !== there.hash) {
      throw new ConfigError(
        `the table ${table.name} has ${here.rows} rows (${here.hash}) here and ${there.rows} (${there.hash}) there: something ` +
          "wrote to one of them. Nothing was completed: remove moved.json, and begin again with an empty database",
      );
    }
    allReplaced += replaced;
    compared.push({ name: table.name, ...here });
    // A restored or moved table has no statistics until PostgreSQL looks by itself.
    await target.query(`analyze "${table.name}"`);
  }
  return { tables: compared, replaced: allReplaced };
}
