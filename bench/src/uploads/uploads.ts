import { randomUUID } from "node:crypto";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { signRequest } from "@portico/protocol/signature";
import type { Credential, Requests } from "../load/signed-requests.ts";

/** A file of nearly the most bytes that an upload may have. */
export const FILE_BYTES = 19 * 2 ** 20;

const BOUNDARY = "portico-bench-7f3a";
const { path } = OPEN_ENDPOINTS.uploadFile;

/** Signed uploads of files of `bytes` zeros; each is signed when it is sent, because there is memory for a few only. */
export function uploadsOf(credential: Credential, count: number, bytes = FILE_BYTES): Requests {
  const body = Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`),
    Buffer.alloc(bytes),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  return {
    count,
    at() {
      const parts = { method: "POST", path, rawQuery: "", nonce: randomUUID(), timestamp: Date.now(), body };
      const { headers } = signRequest({ ...credential, ...parts });
      const lines = [
        `POST ${path} HTTP/1.1`,
        "Host: 127.0.0.1",
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
        `Content-Length: ${body.length}`,
      ];
      return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body]);
    },
  };
}
