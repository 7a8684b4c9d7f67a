import type { Readable } from "node:stream";
import { RequestAborted } from "./request-errors.ts";

/**
 * Reads a request to its end; null as soon as it is over `maxBytes`, the rest of it then being read and forgotten:
 * closing the connection on it would make the system drop the answer (RFC 9112, section 9.6). The server's
 * `requestTimeout` ends it.
 *
 * @throws RequestAborted when the sender goes away.
 */
export async function readStream(stream: Readable, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new RequestAborted("the request was cut off", { cause });
  }
  if (size <= maxBytes) return Buffer.concat(chunks, size);
  stream.resume();
  return null;
}
