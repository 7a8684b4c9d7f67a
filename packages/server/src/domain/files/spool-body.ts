import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { isDiskFull } from "../../platform/disk/disk-full.ts";
import { bodyTooLarge, RequestAborted } from "../../platform/http/raw-body.ts";
import type { UploadSlot } from "./temporary-files.ts";

/**
 * Writes the request body to the upload's slot as it arrives, so that memory does not grow with it. The request itself
 * stays open, because its sender still has to read the answer. A sender that exceeds its allowed rate is read more slowly.
 * When the disk is full, the rest of the body is only measured and hashed.
 *
 * @throws ApiError 413001 as soon as it exceeds `maxBytes`, 400006 when it arrives too slowly.
 * @throws RequestAborted when the sender disconnects.
 */
export function spoolBody(
  request: Readable & Partial<Pick<IncomingMessage, "headers">>,
  slot: UploadSlot,
  maxBytes: number,
): Promise<SpooledBody> {
  return new Promise((resolve, reject) => {
    const digest = createHash("sha256");
    const file = createWriteStream(slot.bodyPath, NEW_FILE);
    const announced = request.headers?.["content-length"];
    let length = 0;
    // Without a length, room is taken for each piece.
    let isKept = slot.room.take(FILES_OF_ONE * Number(announced ?? 0));
    let hasEnded = false;
    let hasFailed = false;
    let rest: NodeJS.Timeout | null = null;
    const stop = () => {
      watched.end();
      if (rest !== null) clearTimeout(rest);
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    };
    /** The file must be closed before anybody may delete it. */
    const fail = (error: unknown) => {
      // A write that was under way fails too when the file is destroyed: the first reason is the one to report.
      if (hasFailed) return;
      hasFailed = true;
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
      isKept &&= announced !== undefined || slot.room.take(FILES_OF_ONE * chunk.length);
      isKept &&= slot.room.wrote(chunk.length);
      if (isKept) file.write(chunk);
      const restMs = slot.restAfter(chunk.length);
      if (restMs > 0) {
        if (rest !== null) clearTimeout(rest);
        rest = setTimeout(endRest, restMs);
      }
      if (isHeldUp()) request.pause();
    };
    const endRest = () => {
      rest = null;
      goOn();
    };
    const finish = () => resolve({ bodyHash: digest.digest("hex"), bodyLength: length, isKept });
    const onEnd = () => {
      stop();
      hasEnded = true;
      if (file.closed) finish();
      else if (!file.destroyed) file.end();
    };
    /** Gives the file up and closes it. */
    const lose = () => {
      isKept = false;
      goOn();
      file.once("close", () => hasEnded && finish());
    };
    const onGone = () => fail(new RequestAborted("the request was cut off"));
    const isHeldUp = () => rest !== null || (isKept && file.writableNeedDrain);
    const goOn = () => {
      if (!isHeldUp()) request.resume();
    };
    const watched = slot.watch({ isHeldUp, abort: fail });
    file.on("drain", goOn);
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
  /** Whether the complete body is at the path. */
  isKept: boolean;
}

/** The body, and the file that is extracted from it. */
const FILES_OF_ONE = 2;
const NEW_FILE = { flags: "wx", mode: 0o600 } as const;
