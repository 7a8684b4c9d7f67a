import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { isDiskFull } from "../../platform/disk/disk-full.ts";
import type { FreeSpace } from "../../platform/disk/free-space.ts";
import { bodyTooLarge, RequestAborted } from "../../platform/http/raw-body.ts";
import type { UploadPlace } from "./temporary-files.ts";

/**
 * Writes the body as it comes over the wire to the place of an upload, so that memory does not grow with it. The request
 * itself is left open: its sender is still to read the answer. When there is no room for the body, or none any more, the rest
 * of it is only measured and hashed.
 *
 * @throws ApiError 413001 as soon as it exceeds `maxBytes`, 400006 when it comes too slowly.
 * @throws RequestAborted when the sender goes away.
 */
export function spoolBody(
  request: IncomingMessage,
  place: UploadPlace,
  maxBytes: number,
  space: Pick<FreeSpace, "takes">,
): Promise<SpooledBody> {
  return new Promise((resolve, reject) => {
    const digest = createHash("sha256");
    const file = createWriteStream(place.bodyPath, NEW_FILE);
    let length = 0;
    let isKept = space.takes("upload");
    let hasEnded = false;
    const stop = () => {
      watched.end();
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    };
    /** Nobody is to remove the file before it is closed. */
    const fail = (error: unknown) => {
      stop();
      request.pause();
      if (file.closed) reject(error);
      else file.once("close", () => reject(error)).destroy();
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      watched.brought(chunk.length);
      if (length > maxBytes) return fail(bodyTooLarge(maxBytes, null));
      digest.update(chunk);
      isKept &&= space.takes("upload-under-way");
      if (isKept && !file.write(chunk)) request.pause();
    };
    const finish = () => resolve({ bodyHash: digest.digest("hex"), bodyLength: length, isKept });
    const onEnd = () => {
      stop();
      hasEnded = true;
      if (file.closed) finish();
      else if (!file.destroyed) file.end();
    };
    /** The file has been given up, and closes. */
    const lose = () => {
      isKept = false;
      request.resume();
      file.once("close", () => hasEnded && finish());
    };
    const onGone = () => fail(new RequestAborted("the request was cut off"));
    const isHeldUp = () => file.writableNeedDrain;
    const watched = place.watch({ isHeldUp, cut: fail });
    file.on("drain", () => request.resume());
    file.on("error", (error) => (isDiskFull(error) ? lose() : fail(error)));
    file.on("finish", finish);
    if (request.destroyed) return onGone();
    request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

interface SpooledBody {
  /** Lower-case hex SHA-256. */
  bodyHash: string;
  bodyLength: number;
  /** Whether all of it lies at the path. */
  isKept: boolean;
}

const NEW_FILE = { flags: "wx", mode: 0o600 } as const;
