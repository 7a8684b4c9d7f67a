import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Database from "better-sqlite3";
import type pg from "pg";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { diskBlobsReader } from "../../platform/blobs/disk.ts";
import { advance, placeOf } from "./move-state.ts";

/** The part of a move's state that tells how far the files have come. */
const PART = ".files";
/** Files after which that is noted. */
const NOTE_EVERY = 50;

/** What became of the contents of files. */
export interface MovedFiles {
  /** Those that this run has copied or found there, each read back and compared. */
  verified: number;
  bytes: number;
  /** The blobKeys of files whose content was missing or damaged before. */
  faulty: string[];
}

interface StoredFile {
  blobKey: string;
  size: number;
  sha256: string;
}

/** Between what files are copied. */
export interface CopyingFiles {
  source: Database.Database;
  target: pg.Client;
  dataDir: string;
  blobs: Blobs;
  progress: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** Copies the contents of files from the data directory to another store, and reads each back. The originals stay. */
export async function copyFiles(copying: CopyingFiles): Promise<MovedFiles> {
  const { source, target, dataDir, progress, signal } = copying;
  const report: MovedFiles = { verified: 0, bytes: 0, faulty: [] };
  await using work = new AsyncDisposableStack();
  const folder = work.adopt(await mkdtemp(join(dataDir, ".moving-")), (made) => rm(made, { recursive: true }));
  let place = await placeOf(target, PART);
  const note = async (blobKey: string, done: number) => {
    const to = { after: [blobKey], rows: done, isDone: false };
    await advance(target, PART, place, to);
    place = to;
  };
  let done = place?.rows ?? 0;
  const files = source
    .prepare<[string], StoredFile>(
      "select blob_key as blobKey, size, sha256 from files where state = 'READY' and blob_key > ? order by blob_key",
    )
    .iterate(place?.after[0] ?? "");
  for (const file of files) {
    signal?.throwIfAborted();
    if (await bringOver(file, folder, copying)) {
      report.verified++;
      report.bytes += file.size;
    } else report.faulty.push(file.blobKey);
    if (++done % NOTE_EVERY !== 0) continue;
    await note(file.blobKey, done);
    progress(`files: ${done}`);
  }
  return report;
}

/** @returns false when the content was missing or damaged in the data directory. */
async function bringOver(file: StoredFile, folder: string, { dataDir, blobs }: CopyingFiles): Promise<boolean> {
  if (await isThere(file, blobs)) return true;
  const content = await diskBlobsReader(join(dataDir, "blobs")).get(file.blobKey);
  if (content === null) return false;
  const path = join(folder, file.blobKey);
  try {
    const hash = createHash("sha256");
    const hashed = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(content, hashed, createWriteStream(path, { mode: 0o600, flags: "wx" }));
    if (hash.digest("hex") !== file.sha256) return false;
    await blobs.put(file.blobKey, path, file.size);
  } finally {
    await rm(path, { force: true });
  }
  if (await isThere(file, blobs)) return true;
  throw new Error(`the store of files does not hold what was put into it as ${file.blobKey}`);
}

async function isThere({ blobKey, sha256 }: StoredFile, blobs: Blobs): Promise<boolean> {
  const content = await blobs.get(blobKey);
  if (content === null) return false;
  const hash = createHash("sha256");
  await pipeline(Readable.from(content), hash);
  return hash.digest("hex") === sha256;
}
