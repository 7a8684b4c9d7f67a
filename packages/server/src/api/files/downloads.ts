import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { ApiError } from "@portico/protocol";
import { RequestAborted } from "../../platform/http/raw-body.ts";
import { cutOffWhenSlow } from "../../platform/http/slow-reader.ts";

/** Below the limits of object-store connections and of open files per process. */
const MOST = 400;
const WINDOW_MS = 60_000;

/** A download in progress. */
interface Download {
  response: ServerResponse;
  /** Those to the same address, the oldest first. */
  peers: Set<Download>;
}

/**
 * Limits how many files are served concurrently, and how long each may take. Places are divided among the addresses of
 * the readers: when all are taken, one with fewer downloads than another gets a place of that one, so that readers who
 * take nothing keep nobody else out.
 */
export class Downloads {
  readonly #byAddress = new Map<string, Set<Download>>();
  #underWay = 0;

  /**
   * Opens a file's content to be sent as `response`; the download is ended when its reader is too slow, or when its
   * place is needed for another address. Resolves when the first bytes are available, so that earlier failures can still
   * be answered.
   *
   * @param address the block of addresses that the reader is in.
   * @throws ApiError 429001 when too many downloads are in progress; RequestAborted when the place was given away.
   */
  async begin(
    response: ServerResponse,
    address: string,
    open: () => Promise<Readable | null>,
  ): Promise<Readable | null> {
    const download = this.#enter(response, address);
    const leave = () => this.#leave(address, download);
    const content = await open().catch((error: unknown) => {
      leave();
      throw error;
    });
    if (content === null) {
      leave();
      return null;
    }
    const stopWatching = cutOffWhenSlow(response, WINDOW_MS);
    content.once("close", () => {
      stopWatching();
      leave();
    });
    // The consumer of the stream gets the error as well.
    content.on("error", () => {});
    if (!download.peers.has(download)) {
      content.destroy();
      throw new RequestAborted("the place was given away");
    }
    await once(content, "readable");
    return content;
  }

  #enter(response: ServerResponse, address: string): Download {
    const peers = this.#byAddress.get(address) ?? new Set();
    if (this.#underWay >= MOST && !this.#makeRoom(peers.size)) {
      throw new ApiError("DOWNLOADS_TOO_MANY", { retryAfterSeconds: 1 });
    }
    const download = { response, peers };
    this.#byAddress.set(address, peers.add(download));
    this.#underWay++;
    return download;
  }

  /** Ends the oldest download to the address with the most, if it has more than one who has `own` will have then. */
  #makeRoom(own: number): boolean {
    let heaviest: [address: string, downloads: Set<Download>] | null = null;
    for (const entry of this.#byAddress) if (entry[1].size > (heaviest?.[1].size ?? own + 1)) heaviest = entry;
    if (heaviest === null) return false;
    const [address, downloads] = heaviest;
    for (const download of downloads) {
      this.#leave(address, download);
      download.response.destroy();
      return true;
    }
    return false;
  }

  #leave(address: string, download: Download): void {
    const { peers } = download;
    if (!peers.delete(download)) return;
    this.#underWay--;
    if (peers.size === 0) this.#byAddress.delete(address);
  }
}
