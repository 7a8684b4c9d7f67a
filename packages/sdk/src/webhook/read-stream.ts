import { concat } from "./concat.ts";
import { RequestAborted } from "./request-errors.ts";

/** The part of Node's `Readable` that is used, so that the types need no types of Node. */
export interface ByteStream {
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  resume(): unknown;
}

/**
 * Reads a request body. Returns null as soon as it exceeds `maxBytes`; the rest is read and discarded, because closing
 * the connection could make the system drop the answer (RFC 9112, section 9.6). The server's `requestTimeout` bounds
 * this.
 *
 * @throws RequestAborted when the sender disconnects.
 */
export async function readStream(stream: ByteStream, maxBytes: number): Promise<Uint8Array | null> {
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
  if (size <= maxBytes) return concat(chunks, size);
  stream.resume();
  return null;
}
