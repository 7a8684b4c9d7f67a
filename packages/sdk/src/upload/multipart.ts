import { randomUUID } from "node:crypto";
import type { RequestBody } from "../request-body.ts";
import type { FileToUpload } from "./read-source.ts";

/**
 * The body of an upload, byte by byte as the contract lays it out (docs/contract/signing.md#the-body). It holds a copy
 * of the file, so that what is signed is what is sent, on every try and whatever becomes of the original.
 *
 * @param newBoundary asked again as long as the file contains what it gives.
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

/** A name as it may stand between quotes in a header: quotes and backslashes escaped, no line ended. */
function quotable(fileName: string): string {
  return fileName.replace(/\p{Cc}/gu, "_").replace(/["\\]/g, "\\$&");
}
