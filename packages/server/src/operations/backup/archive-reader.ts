import { createHash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Database from "better-sqlite3";
import { type Extract, extract } from "tar-stream";
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import { ConfigError } from "../../platform/config/config-error.ts";
import { syncDirectory } from "../../platform/disk/sync-directory.ts";
import { DATABASE_FILE, defineSqlFunctions } from "../../platform/storage/sqlite/sqlite.ts";
import {
  type BackupReport,
  BLOBS_PREFIX,
  DATABASE_NAME,
  END_NAME,
  EndSchema,
  FORMAT,
  HEAD_NAME,
  type Head,
  HeadSchema,
  KEY_NAME,
  type Progress,
} from "./format.ts";

const BLOB_NAME = /^blobs\/([a-z0-9]{16,64})$/;
/** The parts in JSON are small, except for a list of many faulty files. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const TELL_EVERY_FILES = 1_000;

/** The archive is not a complete and unchanged backup. */
export class DamagedBackup extends Error {
  override readonly name = "DamagedBackup";
}

/** How an archive is read. */
interface Reading {
  /** Where what it contains is written. */
  folder: string;
  progress: Progress;
  /** Called with the sealed master key, if there is one, before anything is written. */
  onKey(sealed: unknown): Promise<void>;
}

/** An entry of the archive. */
interface Entry {
  name: string;
  content: Readable;
}

/**
 * Writes a backup's database to `folder/portico.db` and its files below `folder/blobs`, all of it on disk, and checks
 * each. Nothing of the archive decides where anything is written.
 *
 * @throws DamagedBackup
 */
export async function readArchive(source: Readable, reading: Reading): Promise<BackupReport> {
  const archive = extract();
  void feed(archive, source);
  try {
    return await readEntries(entriesOf(archive), reading);
  } catch (error) {
    // What the system refuses, for lack of space for example, is no fault of the archive.
    if (
      error instanceof DamagedBackup ||
      error instanceof ConfigError ||
      (error instanceof Error && "syscall" in error)
    )
      throw error;
    throw new DamagedBackup(messageOf(error));
  } finally {
    archive.destroy(new Error("the archive was given up"));
    source.destroy();
  }
}

/**
 * What a backup begins with.
 *
 * @throws DamagedBackup
 */
export async function readHead(source: Readable): Promise<Head> {
  const archive = extract();
  void feed(archive, source);
  try {
    const first = await entriesOf(archive).next();
    return await json(first.value ?? null, HEAD_NAME, HeadSchema);
  } catch (error) {
    throw error instanceof DamagedBackup ? error : new DamagedBackup(messageOf(error));
  } finally {
    archive.destroy(new Error("the archive was given up"));
    source.destroy();
  }
}

async function readEntries(
  entries: AsyncGenerator<Entry, undefined>,
  { folder, progress, onKey }: Reading,
): Promise<BackupReport> {
  const next = async (): Promise<Entry | null> => (await entries.next()).value ?? null;

  const first = await next();
  const head = await json(first, HEAD_NAME, HeadSchema);
  if (head.format !== FORMAT) {
    throw new DamagedBackup(`its format is ${head.format}: restore it with the version of Portico that made it`);
  }
  let entry = await next();
  if (head.hasKey) {
    await onKey(await anyJson(entry, KEY_NAME));
    entry = await next();
  }
  progress("database");
  const path = join(folder, DATABASE_FILE);
  const database = await store(named(entry, DATABASE_NAME), path);
  await checkDatabase(path);

  const expected = new Expected(path);
  let [files, bytes] = [0, database.bytes];
  try {
    for (entry = await next(); entry?.name.startsWith(BLOBS_PREFIX); entry = await next()) {
      const key = BLOB_NAME.exec(entry.name)?.[1];
      if (key === undefined) throw new DamagedBackup(`${JSON.stringify(entry.name)} is no name of a file`);
      const stored = await store(entry.content, join(folder, "blobs", key.slice(0, 2), key));
      expected.note(key, stored);
      files++;
      bytes += stored.bytes;
      if (files % TELL_EVERY_FILES === 0) progress(`${files} files, ${Math.round(bytes / 2 ** 20)} MiB`);
    }
    const end = await json(entry, END_NAME, EndSchema);
    if (end.databaseSha256 !== database.sha256)
      throw new DamagedBackup("the database is not the one that was backed up");
    if (end.files !== files) throw new DamagedBackup(`${end.files} files were backed up, and ${files} are there`);
    if ((await next()) !== null) throw new DamagedBackup("something follows its end");
    expected.allow(end.faulty);
    const { schema, createdAt, hasKey, hasFiles } = head;
    await syncFolders(join(folder, "blobs"));
    return { schema, createdAt, hasKey, hasFiles, files, bytes, faulty: end.faulty };
  } finally {
    expected.close();
  }
}

/** The entries in their order. Each must be read before the next. */
async function* entriesOf(archive: Extract): AsyncGenerator<Entry, undefined> {
  for await (const entry of archive) {
    if (entry.header.type !== "file") throw new DamagedBackup(`${JSON.stringify(entry.header.name)} is no file`);
    yield { name: entry.header.name, content: Readable.from(entry) };
  }
}

/**
 * Gives the archive what it is made of. Not by `pipeline`, which does not always notice the end of this library's
 * streams.
 */
async function feed(archive: Extract, source: Readable): Promise<void> {
  try {
    for await (const chunk of source) {
      if (archive.write(chunk)) continue;
      await takesMore(archive);
      if (archive.destroyed) return;
    }
    archive.end(undefined);
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Resolves when it has room, or was closed. Nothing stays behind of the wait: an archive may have millions. */
async function takesMore(archive: Extract): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  archive.once("drain", resolve).once("close", resolve);
  await promise;
  archive.off("drain", resolve).off("close", resolve);
}

function named(entry: Entry | null, name: string): Readable {
  if (entry?.name === name) return entry.content;
  throw new DamagedBackup(
    entry === null ? `it ends before ${name}` : `${JSON.stringify(entry.name)} is where ${name} should be`,
  );
}

async function json<Schema extends TSchema>(
  entry: Entry | null,
  name: string,
  schema: Schema,
): Promise<Static<Schema>> {
  const value = await anyJson(entry, name);
  if (!Value.Check(schema, value)) throw new DamagedBackup(`${name} is not what a backup has`);
  return value;
}

async function anyJson(entry: Entry | null, name: string): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of named(entry, name)) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) throw new DamagedBackup(`${name} is too large`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new DamagedBackup(`${name} is no JSON`);
  }
}

/** What was written to disk. */
interface Stored {
  bytes: number;
  sha256: string;
}

async function store(content: Readable, path: string): Promise<Stored> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  let bytes = 0;
  const tap = new PassThrough().on("data", (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  await pipeline(content, tap, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
  return { bytes, sha256: hash.digest("hex") };
}

/** Makes the names of the files below durable: their contents are. */
async function syncFolders(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const shard of await readdir(folder)) await syncDirectory(join(folder, shard));
  await syncDirectory(folder);
}

/** @throws DamagedBackup when SQLite finds a fault in it. */
async function checkDatabase(path: string): Promise<void> {
  try {
    const database = new Database(path, { readonly: true });
    defineSqlFunctions(database);
    try {
      const [found] = database.pragma("integrity_check(1)", { simple: false }) as { integrity_check: string }[];
      if (found?.integrity_check !== "ok") throw new DamagedBackup(`the database: ${found?.integrity_check}`);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof DamagedBackup) throw error;
    throw new DamagedBackup(`the database: ${error instanceof Error ? error.message : error}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The files of the database, by which those of the archive are checked. */
class Expected {
  readonly #database: Database.Database;
  readonly #find: Database.Statement<[string], { size: number; sha256: string }>;
  /** The blobKeys whose content differs from what the database says. */
  readonly #different = new Set<string>();

  constructor(path: string) {
    this.#database = new Database(path, { readonly: true });
    this.#find = this.#database.prepare("select size, sha256 from files where blob_key = ? and state = 'READY'");
  }

  note(key: string, { bytes, sha256 }: Stored): void {
    const known = this.#find.get(key);
    if (known === undefined) throw new DamagedBackup(`the database knows no file ${key}`);
    if (known.size !== bytes || known.sha256 !== sha256) this.#different.add(key);
  }

  /** @throws DamagedBackup when others differ than those that were faulty before the backup. */
  allow(faulty: readonly string[]): void {
    for (const key of faulty) this.#different.delete(key);
    const [one] = this.#different;
    if (one !== undefined) throw new DamagedBackup(`the content of file ${one} has changed`);
  }

  close(): void {
    this.#database.close();
  }
}
