import { statSync } from "node:fs";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { ConfigError } from "../../platform/config/config-error.ts";
import { KEY_STATE_NAMES, type KeyState, keyStateOf } from "../../platform/crypto/key-state.ts";
import { DATABASE_FILE, defineSqlFunctions } from "../../platform/storage/sqlite/sqlite.ts";

/** How long a statement waits for the service's own. */
const BUSY_TIMEOUT_MS = 30_000;

/** A file of the service, as its database has it. */
export interface StoredFile {
  blobKey: string;
  size: number;
  sha256: string;
}

/** A copy of a database at one moment, which has no name any more: whatever ends this process, nothing of it stays. */
export interface Snapshot {
  file: FileHandle;
  bytes: number;
  /** The newest migration. */
  schema: string;
  /** All files whose content has to be there, in the order of their blobKeys. */
  files(): Iterable<StoredFile>;
  /** What it says of its master keys. */
  keyState: KeyState;
  close(): Promise<void>;
}

/**
 * Copies the database of `dataDir` into a new `folder`, as it is at one moment, while the service goes on: its writer is not
 * held up, only its log is not emptied meanwhile.
 *
 * @throws ConfigError when there is no database.
 */
export async function takeSnapshot(dataDir: string, folder: string): Promise<Snapshot> {
  await mkdir(folder, { mode: 0o700 });
  const path = join(folder, DATABASE_FILE);
  const source = openReadOnly(join(dataDir, DATABASE_FILE));
  try {
    defineSqlFunctions(source);
    source.prepare("vacuum into ?").run(path);
  } finally {
    source.close();
  }
  const file = await open(path);
  const database = new Database(path, { readonly: true });
  // Its first read opens the file; from then on it needs no name.
  const keyState = keyStateIn(database);
  // Over a network an open file keeps a name: then the caller's removal of the folder, after this is closed, is the one.
  await rm(folder, { recursive: true, force: true }).catch(() => {});
  const newest = database.prepare<[], { name: string | null }>("select max(name) as name from kysely_migration").get();
  const all = database.prepare<[], StoredFile>(
    "select blob_key as blobKey, size, sha256 from files where state = 'READY' order by blob_key",
  );
  const { size: bytes } = await file.stat();
  const close = async () => {
    database.close();
    await file.close();
  };
  return { file, bytes, keyState, schema: newest?.name ?? "", files: () => all.iterate(), close };
}

/** What is to be copied, in bytes: the database with its log, and how many files there are. */
export interface StoreSize {
  database: number;
  files: number;
  fileBytes: number;
}

/**
 * Measures the database of `dataDir` and the files that it names.
 *
 * @throws ConfigError when there is no database.
 */
export function storeSize(dataDir: string): StoreSize {
  const path = join(dataDir, DATABASE_FILE);
  const source = openReadOnly(path);
  try {
    const bytesOf = (one: string) => statSync(one, { throwIfNoEntry: false })?.size ?? 0;
    const found = source
      .prepare<[], { files: number; fileBytes: number }>(
        "select count(*) as files, coalesce(sum(size), 0) as fileBytes from files where state = 'READY'",
      )
      .get();
    return { database: bytesOf(path) + bytesOf(`${path}-wal`), files: 0, fileBytes: 0, ...found };
  } finally {
    source.close();
  }
}

/** What a database says of its master keys. */
export function keyStateIn(database: Database.Database): KeyState {
  const rows = database.prepare<string[], { name: string; value: string }>(
    `select name, value from meta where name in (${KEY_STATE_NAMES.map(() => "?").join(", ")})`,
  );
  return keyStateOf(rows.all(...KEY_STATE_NAMES));
}

/** Whether the file is still to be there: it may have expired since the snapshot. */
export function isStillKept(dataDir: string, blobKey: string): boolean {
  const database = openReadOnly(join(dataDir, DATABASE_FILE));
  try {
    const query = "select 1 from files where blob_key = ? and state = 'READY'";
    return database.prepare(query).get(blobKey) !== undefined;
  } finally {
    database.close();
  }
}

function openReadOnly(path: string): Database.Database {
  try {
    return new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`cannot open ${path} (${reason}): set PORTICO_DATA_DIR to the service's data directory`);
  }
}
