import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { LIMITS } from "@portico/protocol/limits";
import { mimeTypeOf } from "./mime-types.ts";

/** Where the bytes of an upload come from: a path, bytes, a blob, or a stream of bytes such as a `Readable`. */
export type UploadSource = string | Uint8Array | Blob | AsyncIterable<Uint8Array>;

/** Name and type of an uploaded file. */
export interface UploadOptions {
  /** Default: the last part of the path, the name of a `File`, or `file`. */
  fileName?: string;
  /** Default: the type of a `Blob`, the type of the name's extension, or `application/octet-stream`. */
  mimeType?: string;
}

/** A file that has been read. */
export interface FileToUpload {
  fileName: string;
  mimeType: string;
  /** The content, in pieces. */
  pieces: Uint8Array[];
}

/**
 * Reads a source to its end, once.
 *
 * @throws RangeError as soon as it exceeds the limit of 20 MiB.
 * @throws TypeError when it does not yield bytes, or the MIME type is invalid.
 * @throws any error of the source itself.
 */
export async function readSource(source: UploadSource, options: UploadOptions = {}): Promise<FileToUpload> {
  const fileName = options.fileName || nameOf(source) || "file";
  const mimeType = options.mimeType ?? ((source instanceof Blob && source.type) || mimeTypeOf(fileName));
  if (!/^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/.test(mimeType)) throw new TypeError("mimeType must be one such as image/png");
  return { fileName, mimeType, pieces: await piecesOf(source) };
}

function nameOf(source: UploadSource): string | undefined {
  if (typeof source === "string") return basename(source);
  return source instanceof File ? source.name : undefined;
}

async function piecesOf(source: UploadSource): Promise<Uint8Array[]> {
  if (source instanceof Uint8Array) {
    checkSize(source.byteLength);
    return [source];
  }
  if (typeof source === "string") {
    checkSize((await stat(source)).size);
    return await collect(createReadStream(source));
  }
  if (!(source instanceof Blob)) return await collect(source);
  checkSize(source.size);
  return await collect(source.stream());
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array)) throw new TypeError("a stream to upload must give bytes, not text or objects");
    size += piece.byteLength;
    checkSize(size);
    pieces.push(piece);
  }
  return pieces;
}

function checkSize(bytes: number): void {
  if (bytes > LIMITS.uploadFileBytes) throw new RangeError(`a file may have ${LIMITS.uploadFileBytes} bytes at most`);
}
