import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { RequestBody } from "../request-body.ts";
import type { FileToUpload } from "./read-source.ts";

/**
 * The body of an upload in the exact layout of the contract (docs/contract/signing.md#the-body). It contains a copy of
 * the file, so every try sends the bytes that were signed, even if the original changes.
 *
 * @param newBoundary called again as long as the file contains the boundary.
 */
export function multipartBody(file: FileToUpload, newBoundary: () => string = randomUUID): RequestBody {
  for (;;) {
    const boundary = newBoundary();
    const head = Buffer.from(
      `--${boundary}\r\n` +
        `Content-Disposition: form-data; name="file"; filename="${quotable(file.fileName)}"\r\n` +
        `Content-Type: ${file.mimeType}\r\n` +
        "\r\n",
    );
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const bytes = Buffer.concat([head, ...file.pieces, tail]);
    const isInFile = bytes.indexOf(boundary, head.length) < bytes.length - tail.length;
    if (!isInFile) return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
  }
}

/** Escapes a file name for a quoted header parameter: quotes, backslashes and line breaks. */
function quotable(fileName: string): string {
  return fileName.replace(/\p{Cc}/gu, "_").replace(/["\\]/g, "\\$&");
}
