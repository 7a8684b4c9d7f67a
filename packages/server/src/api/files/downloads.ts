import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { ApiError } from "@portico/protocol";
import { cutOffWhenSlow } from "../../platform/http/slow-reader.ts";

/** Below the limits of object-store connections and of open files per process. */
const MOST = 400;
const WINDOW_MS = 60_000;

/** Limits how many files are served concurrently, and how long each may take. */
export class Downloads {
  #underWay = 0;

  /**
   * Opens a file's content to be sent as `response`; the download is ended when its reader is too slow. Resolves when
   * the first bytes are available, so that earlier failures can still be answered.
   *
   * @throws ApiError 429001 when too many downloads are in progress.
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
    // The consumer of the stream gets the error as well.
    content.on("error", () => {});
    await once(content, "readable");
    return content;
  }
}
