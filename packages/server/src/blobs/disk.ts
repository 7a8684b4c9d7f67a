import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { type Blobs, type ByteRange, checkKey, checkRange, checkSize } from "./blobs.ts";

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Keeps blobs as files below `directory`: `ab/abcdef...`, so that no directory grows too long. */
export async function openDiskBlobs(directory: string): Promise<Blobs> {
  await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
  await syncDirectory(dirname(directory));
  return new DiskBlobs(directory);
}

class DiskBlobs implements Blobs {
  readonly #directory: string;
  /** The shards known to be durable, or on their way: at most as many as there are two-character beginnings. */
  readonly #shards = new Map<string, Promise<void>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(key: string, path: string, size: number): Promise<void> {
    const target = this.#pathOf(key);
    await syncFile(path, size);
    await this.#ensureShard(dirname(target));
    try {
      await rename(path, target);
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error;
      await moveAcross(path, target, size);
    }
    await syncDirectory(dirname(target));
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    if (range !== undefined) checkRange(range);
    const path = this.#pathOf(key);
    // Opened before the stream is made: what is missing is known now, and stays readable if it is deleted meanwhile.
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

  #pathOf(key: string): string {
    checkKey(key);
    return join(this.#directory, key.slice(0, 2), key);
  }

  /** Creates a shard, durably. Whoever finds it being created waits until it will last, too. */
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
    // Even when it was there: whoever made it may not have lived to do this.
    await syncDirectory(this.#directory);
  }
}

/** Moves a file to another file system so that `target` is never seen half written. */
async function moveAcross(path: string, target: string, size: number): Promise<void> {
  // No key holds a dot, so nobody asks for it by this name.
  const copy = `${target}.${randomUUID()}`;
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

/** Makes the entries of a directory durable, as a sync of the files named there does not. */
async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory);
  await handle.sync();
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
