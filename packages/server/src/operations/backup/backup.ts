import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../platform/config/config.ts";
import { ConfigError } from "../../platform/config/config-error.ts";
import { loadConfig } from "../../platform/config/load-config.ts";
import { keyToBackUp } from "../../platform/crypto/master-key.ts";
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
import { sealKey } from "./sealed-key.ts";
import { isStillKept, type Snapshot, type StoredFile, takeSnapshot } from "./snapshot.ts";

/** Progress is told after this many files. */
const TELL_EVERY_FILES = 1_000;

/**
 * Writes the embedded service's database, files and master key to one new file, while the service runs: everything that
 * was acknowledged before the call began is in it.
 *
 * @param passphrase seals the master key; without one it is left out.
 * @throws ConfigError with a message for the operator.
 */
export async function backUp(
  file: string,
  env: NodeJS.ProcessEnv,
  { passphrase, progress = () => {} }: { passphrase: string | null; progress?: Progress },
): Promise<BackupReport> {
  const config = loadConfig(env);
  if (config.distributed !== null) {
    throw new ConfigError(
      "this service is distributed: back its PostgreSQL up with pg_dump and copy the files, as docs/operations.md says",
    );
  }
  const target = resolve(file);
  if (existsSync(target))
    throw new ConfigError(`${file} exists already, and a backup replaces nothing: name a new file`);
  const key = passphrase === null ? null : keyToBackUp(config);
  await using opened = new AsyncDisposableStack();
  const work = opened.adopt(await makeWorkFolder(target), (folder) => rm(folder, { recursive: true, force: true }));
  progress("copying the database");
  const snapshot = opened.adopt(takeSnapshot(config.dataDir, join(work, DATABASE_NAME)), (taken) => taken.close());
  const head: Head = {
    format: FORMAT,
    createdAt: Date.now(),
    schema: snapshot.schema,
    hasKey: key !== null,
    hasFiles: config.blobs.kind === "disk",
  };
  const sealed = key === null || passphrase === null ? null : await sealKey(key, passphrase);
  let report: BackupReport | null = null;
  await writeNewFile(target, (out) =>
    ArchiveWriter.write(out, new Date(head.createdAt), async (archive) => {
      await archive.json(HEAD_NAME, head);
      if (sealed !== null) await archive.json(KEY_NAME, sealed);
      const database = await archive.file(DATABASE_NAME, snapshot.path);
      const files = head.hasFiles ? await addFiles(archive, snapshot, config, progress) : NO_FILES;
      const end: End = { databaseSha256: database.sha256, files: files.count, faulty: files.faulty };
      await archive.json(END_NAME, end);
      const { schema, createdAt, hasKey, hasFiles } = head;
      const bytes = database.bytes + files.bytes;
      report = { schema, createdAt, hasKey, hasFiles, files: files.count, bytes, faulty: files.faulty };
    }),
  );
  if (report === null) throw new Error("a backup was made without its report");
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
    const packed = await archive.file(
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

/** Beside the backup, so that there is room where the operator has made some. */
async function makeWorkFolder(target: string): Promise<string> {
  try {
    return await mkdtemp(join(dirname(target), ".portico-backup-"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new ConfigError(`cannot write into ${dirname(target)} (${reason}): name a file in a folder that exists`);
  }
}
