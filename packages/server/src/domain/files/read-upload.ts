import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { fault } from "@portico/protocol";
import { describeFile, type FileDescription } from "./describe-file.ts";
import { boundaryOf, MultipartParser, type PartHead, refusal } from "./multipart-parser.ts";

/** The file of an upload, in its own temporary file. */
export interface ReceivedFile extends FileDescription {
  path: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const MAX_PARTS = 32;
/** The total limit of all parts except the file. */
const MAX_OTHER_BYTES = MIB;
/** After so many bytes written the file is settled. */
const SETTLE_BYTES = 256 * KIB;

/** Where the file of an upload is to lie, and how. */
export interface UploadTarget {
  /** There must be nothing yet. */
  path: string;
  /** How long it may be. */
  maxBytes: number;
  /** Called now and then while the file is written; see Blobs. */
  settle(file: FileHandle): Promise<void>;
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) to its end and keeps the part named `file`. Other parts are ignored. After
 * a failure there is nothing at the target's path.
 *
 * @param body each piece is used before the next is asked for, so all may be read into one buffer.
 * @param contentType the header of the whole body, which names the boundary.
 * @throws ApiError 400006 saying what is wrong with the body.
 * @throws the error of `body`, if it fails.
 */
export async function readUpload(
  body: AsyncIterable<Buffer>,
  contentType: string | undefined,
  target: UploadTarget,
): Promise<ReceivedFile> {
  // The loop below throws errors that occur while it runs; this listener takes the error from destroying the body.
  const reception = new Reception(target);
  try {
    const parser = new MultipartParser(boundaryOf(contentType));
    for await (const chunk of body) {
      for (const piece of parser.push(chunk)) await reception.write(piece);
    }
    parser.end();
    return await reception.finish();
  } catch (error) {
    await reception.discard();
    throw error;
  }
}

/** Processes the body in order and writes the file's content. */
class Reception {
  readonly #target: UploadTarget;
  readonly #hash = createHash("sha256");
  #description: FileDescription | null = null;
  #file: FileHandle | null = null;
  #isInFile = false;
  #parts = 0;
  #otherBytes = 0;
  #size = 0;
  #unsettledBytes = 0;

  constructor(target: UploadTarget) {
    this.#target = target;
  }

  async write(piece: PartHead | Buffer): Promise<void> {
    if (!Buffer.isBuffer(piece)) return await this.#beginPart(piece);
    if (this.#isInFile) return await this.#takeContent(piece);
    this.#otherBytes += piece.length;
    if (this.#otherBytes > MAX_OTHER_BYTES)
      throw refusal("other-parts", fault("UPLOAD_OTHER_PARTS_TOO_LARGE", { max: sizeText(MAX_OTHER_BYTES) }));
  }

  async finish(): Promise<ReceivedFile> {
    if (this.#description === null || this.#file === null) throw refusal("no-file", "UPLOAD_FILE_MISSING");
    await this.#file.close();
    return { path: this.#target.path, ...this.#description, size: this.#size, sha256: this.#hash.digest("hex") };
  }

  /** Deletes the file, if this object has created it. */
  async discard(): Promise<void> {
    if (this.#file === null) return;
    // The original error is thrown, not this one.
    await this.#file.close().catch(() => {});
    await rm(this.#target.path, { force: true }).catch(() => {});
  }

  async #beginPart(head: PartHead): Promise<void> {
    if (++this.#parts > MAX_PARTS) throw refusal("part-count", fault("UPLOAD_PARTS_TOO_MANY", { max: MAX_PARTS }));
    const description = describeFile(head);
    this.#isInFile = description !== null;
    if (description === null) return;
    if (this.#description !== null) throw refusal("several-files", "UPLOAD_FILES_TOO_MANY");
    this.#description = description;
    this.#file = await open(this.#target.path, "wx", 0o600);
  }

  async #takeContent(content: Buffer): Promise<void> {
    this.#size += content.length;
    const { maxBytes, settle } = this.#target;
    if (this.#size > maxBytes) throw refusal("file-size", fault("UPLOAD_FILE_TOO_LARGE", { max: sizeText(maxBytes) }));
    this.#hash.update(content);
    if (this.#file === null) throw new Error("content of a file came before its head");
    await this.#file.appendFile(content);
    this.#unsettledBytes += content.length;
    if (this.#unsettledBytes < SETTLE_BYTES) return;
    this.#unsettledBytes = 0;
    await settle(this.#file);
  }
}

function sizeText(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB}MiB` : `${bytes}字节`;
}
