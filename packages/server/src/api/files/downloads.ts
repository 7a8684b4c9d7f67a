import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { ApiError } from "@portico/protocol";
import { cutOffWhenSlow } from "../../platform/http/slow-reader.ts";

/** Below what the connections to an object store and the open files of a process can bear. */
const MOST = 400;
const WINDOW_MS = 60_000;

/** Bounds how many files are being read at once, and how long each of them may take. */
export class Downloads {
  #underWay = 0;

  /**
   * Opens the content of a file that is to be sent as `response`, which is cut off when its reader is too slow. Resolves
   * once the first of it is there, so that what fails before can still be told.
   *
   * @throws ApiError 429001 when too many are being read.
   */
  async begin(response: ServerResponse, open: () => Promise<Readable | null>): Promise<Readable | null> {
    if (this.#underWay >= MOST) {
      throw new ApiError("DOWNLOADS_TOO_MANY", { retryAfterSeconds: 1 });
    }
    this.#underWay++;
    const content = await open().catch((error: unknown) => {
      this.#underWay--;
      throw error;
    });
    if (content === null) {
      this.#underWay--;
      return null;
    }
    const stopWatching = cutOffWhenSlow(response, WINDOW_MS);
    content.once("close", () => {
      stopWatching();
      this.#underWay--;
    });
    // Whoever reads it is told of a failure all the same.
    content.on("error", () => {});
    await once(content, "readable");
    return content;
  }
}
