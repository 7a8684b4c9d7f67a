import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { UploadPlace } from "../files/temporary-files.ts";
import { bodyTooLarge, RequestAborted } from "./raw-body.ts";

/**
 * Writes the body as it comes over the wire to the place of an upload, so that memory does not grow with it. The request
 * itself is left open: its sender is still to read the answer.
 *
 * @returns lower-case hex SHA-256 of the body, and its length in bytes.
 * @throws ApiError 413001 as soon as it exceeds `maxBytes`, 400006 when it comes too slowly.
 * @throws RequestAborted when the sender goes away.
 */
export function spoolBody(request: IncomingMessage, place: UploadPlace, maxBytes: number): Promise<SpooledBody> {
  return new Promise((resolve, reject) => {
    const digest = createHash("sha256");
    const file = createWriteStream(place.bodyPath, NEW_FILE);
    let length = 0;
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
      if (!file.write(chunk)) request.pause();
    };
    const onEnd = () => {
      stop();
      file.end();
    };
    const onGone = () => fail(new RequestAborted("the request was cut off"));
    const isHeldUp = () => file.writableNeedDrain;
    const watched = place.watch({ isHeldUp, cut: fail });
    file.on("drain", () => request.resume());
    file.on("error", (error) => fail(error));
    file.on("finish", () => resolve({ bodyHash: digest.digest("hex"), bodyLength: length }));
    if (request.destroyed) return onGone();
    request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

interface SpooledBody {
  bodyHash: string;
  bodyLength: number;
}

const NEW_FILE = { flags: "wx", mode: 0o600 } as const;
