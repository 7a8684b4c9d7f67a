import { existsSync } from "node:fs";
import { rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../platform/config/config.ts";
import { ConfigError } from "../../platform/config/config-error.ts";
import { loadConfig } from "../../platform/config/load-config.ts";
import { refuseShortPassphrase } from "../../platform/config/settings.ts";
import { faultOf, uniqueKeys } from "../../platform/crypto/key-state.ts";
import { keysToBackUp } from "../../platform/crypto/master-key.ts";
import { reserveOf } from "../../platform/disk/free-space.ts";
import { noteBackup } from "../../platform/disk/last-backup.ts";
import { refuseMoved } from "../../platform/storage/sqlite/moved-mark.ts";
import { ArchiveWriter } from "./archive-writer.ts";
import {
  type BackupReport,
  BLOBS_PREFIX,
  DATABASE_NAME,
  END_NAME,
  type End,
  FORMAT,
  HEAD_NAME,
  type Head,
  KEY_NAME,
  type Progress,
} from "./format.ts";
import { writeNewFile } from "./new-file.ts";
import { sealKeys } from "./sealed-key.ts";
import { isStillKept, type Snapshot, type StoredFile, storeSize, takeSnapshot } from "./snapshot.ts";
import { makeWorkFolder, sweepWorkFolders } from "./work-folder.ts";

/** Progress is told after this many files. */
const TELL_EVERY_FILES = 1_000;
/** Of an archive, for each file besides its content: a header, its name, and what fills the last block. */
const TAR_BYTES_PER_FILE = 1_536;

/** How a backup is made or restored. */
export interface BackupOptions {
  /** Of the master key; null: none. */
  passphrase: string | null;
  progress?: Progress;
  /** Ends the work; nothing of it stays. */
  signal?: AbortSignal;
}

/**
 * Writes the embedded service's database, files and master key to one new file, while the service runs: everything that
 * was acknowledged before the call began is in it.
 *
 * @param passphrase seals the master key, and has 12 characters or more; without one it is left out.
 * @throws ConfigError with a message for the operator.
 */
export async function backUp(
  file: string,
  env: NodeJS.ProcessEnv,
  { passphrase, progress = () => {}, signal }: BackupOptions,
): Promise<BackupReport> {
  if (passphrase !== null) refuseShortPassphrase(passphrase);
  const config = loadConfig(env);
  if (config.distributed !== null) {
    throw new ConfigError(
      "this service is distributed: back its PostgreSQL up with pg_dump and copy the files, as docs/operations.md says",
    );
  }
  // What a timer went on copying would be an ever older past.
  refuseMoved(config.dataDir);
  const target = resolve(file);
  if (existsSync(target))
    throw new ConfigError(`${file} exists already, and a backup replaces nothing: name a new file`);
  // Before and after: a rotation of the key may begin or end in between.
  const before = passphrase === null ? null : keysToBackUp(config);
  const folder = dirname(target);
  await using opened = new AsyncDisposableStack();
  // First, as what a killed one has left may have filled the disk.
  await sweepWorkFolders(folder, progress);
  const work = opened.adopt(await makeWorkFolder(folder), (made) => rm(made, { recursive: true, force: true }));
  await refuseTooLittleRoom(folder, config);
  progress("copying the database");
  const snapshot = opened.adopt(await takeSnapshot(config.dataDir, join(work, "database")), (taken) => taken.close());
  const keys = before && uniqueKeys([...keysToBackUp(config), ...before]);
  const fault = keys && faultOf(snapshot.keyState, keys);
  if (fault !== null) {
    throw new ConfigError(`run the command with the service's own configuration: ${fault}`);
  }
  signal?.throwIfAborted();
  const head: Head = {
    format: FORMAT,
    createdAt: Date.now(),
    schema: snapshot.schema,
    hasKey: keys !== null,
    hasFiles: config.blobs.kind === "disk",
  };
  const sealed = keys === null || passphrase === null ? null : await sealKeys(keys, passphrase);
  let report: BackupReport | null = null;
  await writeNewFile(target, work, (out) =>
    ArchiveWriter.write(out, { mtime: new Date(head.createdAt), signal }, async (archive) => {
      await archive.json(HEAD_NAME, head);
      if (sealed !== null) await archive.json(KEY_NAME, sealed);
      const database = await archive.file(DATABASE_NAME, snapshot.file);
      const files = head.hasFiles ? await addFiles(archive, snapshot, config, progress) : NO_FILES;
      const end: End = { databaseSha256: database.sha256, files: files.count, faulty: files.faulty };
      await archive.json(END_NAME, end);
      const { schema, createdAt, hasKey, hasFiles } = head;
      const bytes = database.bytes + files.bytes;
      report = { schema, createdAt, hasKey, hasFiles, files: files.count, bytes, faulty: files.faulty };
    }),
  );
  if (report === null) throw new Error("a backup was made without its report");
  await noteBackup(config.dataDir, new Date(head.createdAt)).catch((error: unknown) => {
    progress(
      `the time of the backup could not be noted for the metrics (${error instanceof Error ? error.message : error})`,
    );
  });
  return report;
}

interface AddedFiles {
  count: number;
  bytes: number;
  faulty: string[];
}

const NO_FILES: AddedFiles = { count: 0, bytes: 0, faulty: [] };

async function addFiles(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  { dataDir }: Config,
  progress: Progress,
): Promise<AddedFiles> {
  const added: AddedFiles = { count: 0, bytes: 0, faulty: [] };
  for (const file of snapshot.files()) {
    const bytes = await addFile(archive, file, dataDir, added.faulty);
    if (bytes === null) continue;
    added.count++;
    added.bytes += bytes;
    if (added.count % TELL_EVERY_FILES === 0)
      progress(`${added.count} files, ${Math.round(added.bytes / 2 ** 20)} MiB`);
  }
  return added;
}

/** Its bytes; null when it has expired since the snapshot, or its content is missing. */
async function addFile(
  archive: ArchiveWriter,
  { blobKey, size, sha256 }: StoredFile,
  dataDir: string,
  faulty: string[],
): Promise<number | null> {
  try {
    const packed = await archive.fileAt(
      `${BLOBS_PREFIX}${blobKey}`,
      join(dataDir, "blobs", blobKey.slice(0, 2), blobKey),
    );
    if (packed.sha256 !== sha256 || packed.bytes !== size) faulty.push(blobKey);
    return packed.bytes;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    if (isStillKept(dataDir, blobKey)) faulty.push(blobKey);
    return null;
  }
}

/** Refused before anything is written: a service that shares the disk would have to refuse messages. */
async function refuseTooLittleRoom(folder: string, { dataDir, blobs, limits }: Config): Promise<void> {
  const { database, files, fileBytes } = storeSize(dataDir);
  const { bavail, blocks, bsize } = await statfs(folder);
  const isShared = (await stat(folder)).dev === (await stat(dataDir)).dev;
  // The database is in the archive, and beside it while that is written.
  const contents = blobs.kind === "disk" ? fileBytes + files * TAR_BYTES_PER_FILE : 0;
  const needed = 2 * database + contents + (isShared ? reserveOf(limits.diskReserve, blocks * bsize) : 0);
  const free = bavail * bsize;
  if (free > needed) return;
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  throw new ConfigError(
    `${folder} has ${mebibytes(free)} of free space, and the backup needs ${mebibytes(needed)}` +
      `${isShared ? ", with what the service keeps free" : ""}: name a file on another disk`,
  );
}
