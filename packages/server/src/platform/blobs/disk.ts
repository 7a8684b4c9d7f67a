import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { syncDirectory } from "../disk/sync-directory.ts";
import { type Blobs, type ByteRange, checkKey, checkRange, checkSize } from "./blobs.ts";

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Older temporary copies belong to processes that died. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Stores blobs as files below `directory`: `ab/abcdef...`, so that no directory becomes too large. */
export async function openDiskBlobs(directory: string): Promise<Blobs> {
  const incoming = incomingOf(directory);
  await mkdir(incoming, { recursive: true, mode: DIRECTORY_MODE });
  await removeAbandoned(incoming);
  await syncDirectory(dirname(directory));
  return new DiskBlobs(directory);
}

/** For reading alone: makes nothing below `directory`. */
export function diskBlobsReader(directory: string): Pick<Blobs, "get"> {
  return new DiskBlobs(directory);
}

class DiskBlobs implements Blobs {
  readonly #directory: string;
  /** The shards that are durable or being created; bounded by the number of two-character prefixes. */
  readonly #shards = new Map<string, Promise<void>>();

  #lastSync: Promise<void> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(key: string, path: string, size: number): Promise<void> {
    const target = this.#pathOf(key);
    await this.#alone(() => syncFile(path, size));
    await this.#ensureShard(dirname(target));
    try {
      await rename(path, target);
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error;
      await moveAcross(path, target, join(incomingOf(this.#directory), randomUUID()), size);
    }
    await this.#alone(() => syncDirectory(dirname(target)));
  }

  async settle(file: FileHandle): Promise<void> {
    await this.#alone(() => file.datasync());
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    if (range !== undefined) checkRange(range);
    const path = this.#pathOf(key);
    // Opened before the stream is created: a missing file is detected now, and a file that is deleted meanwhile stays
    // readable.
    const file = await open(path).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    });
    return file?.createReadStream(range) ?? null;
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async ping(): Promise<void> {
    await access(this.#directory, constants.W_OK);
  }

  async close(): Promise<void> {}

  /**
   * Runs one piece of work at a time: syncing a file takes long, and Node's few threads, which also sync the database's
   * log, must not all wait for the disk.
   */
  #alone(work: () => Promise<void>): Promise<void> {
    const turn = this.#lastSync.then(work);
    this.#lastSync = turn.catch(() => {});
    return turn;
  }

  #pathOf(key: string): string {
    checkKey(key);
    return join(this.#directory, key.slice(0, 2), key);
  }

  /** Creates a shard durably. Concurrent callers wait until it is durable, too. */
  #ensureShard(shard: string): Promise<void> {
    const known = this.#shards.get(shard);
    if (known !== undefined) return known;
    const created = this.#createShard(shard);
    this.#shards.set(shard, created);
    created.catch(() => this.#shards.delete(shard));
    return created;
  }

  async #createShard(shard: string): Promise<void> {
    await mkdir(shard, { recursive: true, mode: DIRECTORY_MODE });
    // Also when it existed: the process that created it may have died before its own sync.
    await syncDirectory(this.#directory);
  }
}

/** The directory for incomplete copies from another file system; its name is too long for a shard. */
function incomingOf(directory: string): string {
  return join(directory, "incoming");
}

/**
 * Deletes temporary copies of processes that died. Compares times of the file system, because other processes may use
 * the directory.
 */
async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

/** Moves a file to another file system through the temporary file `copy`, so that `target` is never incomplete. */
async function moveAcross(path: string, target: string, copy: string, size: number): Promise<void> {
  try {
    await copyFile(path, copy, constants.COPYFILE_EXCL);
    await syncFile(copy, size);
    await rename(copy, target);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  await rm(path);
}

async function syncFile(path: string, size: number): Promise<void> {
  await using file = await open(path, "r+");
  checkSize((await file.stat()).size, size);
  await file.chmod(FILE_MODE);
  await file.sync();
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
