import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { bodyTooLarge, RequestAborted } from "./raw-body.ts";

/**
 * Writes the body as it comes over the wire to a new file at `path`, so that memory does not grow with it.
 *
 * @returns lower-case hex SHA-256 of the body, and its length in bytes.
 * @throws ApiError 413001 as soon as it exceeds `maxBytes`.
 * @throws RequestAborted when the sender goes away.
 */
export async function spoolBody(request: IncomingMessage, path: string, maxBytes: number): Promise<SpooledBody> {
  const digest = createHash("sha256");
  let length = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > maxBytes) {
        done(bodyTooLarge(maxBytes, null));
        return;
      }
      digest.update(chunk);
      done(null, chunk);
    },
  });
  try {
    // The request itself is left open: its sender is still to read the answer.
    await pipeline(request.iterator({ destroyOnReturn: false }), measure, createWriteStream(path, NEW_FILE));
  } catch (error) {
    if (request.errored !== null || request.readableAborted) throw new RequestAborted("the request was cut off");
    throw error;
  }
  return { bodyHash: digest.digest("hex"), bodyLength: length };
}

interface SpooledBody {
  bodyHash: string;
  bodyLength: number;
}

const NEW_FILE = { flags: "wx", mode: 0o600 } as const;
