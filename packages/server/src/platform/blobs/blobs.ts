import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";

/** Positions of the first and the last byte wanted; both lie within the blob. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where the content of files is kept, by keys that the service makes: 16 to 64 lower-case letters and digits. */
export interface Blobs {
  /**
   * Takes the file at `path`, `size` bytes long, in as `key`, and moves or removes it; resolves once it is durably
   * there. A blob of that key is replaced. When it fails, the file may still be where it was.
   */
  put(key: string, path: string, size: number): Promise<void>;
  /**
   * To be called now and then while a file is written that is to be put: has what has been written of it go to the disk where
   * {@link put} would else have to do all of that at once. Resolves once that is done.
   */
  settle(file: FileHandle): Promise<void>;
  /**
   * The whole blob, or the bytes of `range`, as a stream that must be read to its end or destroyed; null when there is
   * no such blob.
   */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes a blob; one that is not there is no error. */
  delete(key: string): Promise<void>;
  /** Resolves when the store can be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const KEY = /^[a-z0-9]{16,64}$/;

/**
 * Keeps a key from naming anything outside the store.
 *
 * @throws when it is none that the service makes.
 */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error("this is no key of a blob");
}

/** @throws when `range` is none. */
export function checkRange({ start, end }: ByteRange): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end) return;
  throw new RangeError(`bytes ${start} to ${end} are no range`);
}

/** @throws when a file is not as long as it was said to be: something else would be stored than was received. */
export function checkSize(actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`a file of ${expected} bytes was to be stored, and it has ${actual}`);
}
