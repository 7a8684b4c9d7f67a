import { randomBytes } from "node:crypto";
import type { Storage } from "../storage/storage.ts";

/** Pages per transaction; few enough not to delay other writes. */
const PIECE_BYTES = 256 * 1024;

/**
 * Reserved pages of the embedded database, without useful content. When they are released, the database writes new data
 * to them instead of growing. Unlike free disk space, no other program can take them.
 */
export class SparePages {
  readonly #storage: Storage;
  readonly #pieces: number;
  #isReady = false;

  private constructor(storage: Storage, bytes: number) {
    this.#storage = storage;
    this.#pieces = Math.floor(bytes / PIECE_BYTES);
  }

  /**
   * Opens the spare pages of the database.
   *
   * @param bytes their total size.
   */
  static async open(storage: Storage, bytes: number): Promise<SparePages> {
    const pages = new SparePages(storage, bytes);
    const last = storage.db.selectFrom("spare_pages").select("piece").where("piece", "=", pages.#pieces);
    pages.#isReady = (await last.executeTakeFirst()) !== undefined;
    return pages;
  }

  /** Reserves the pages; false if they are reserved already. They count once the log has been copied. */
  async setAside(): Promise<boolean> {
    if (this.#isReady) return false;
    for (let piece = 1; piece <= this.#pieces; piece++) {
      // Random, so that no file system can compress them.
      const content = randomBytes(PIECE_BYTES / 2).toString("hex");
      await this.#storage.write(async (tx) => {
        await tx
          .insertInto("spare_pages")
          .values({ piece, content })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    }
    this.#isReady = true;
    return true;
  }

  /** Releases the pages, unless they are released already. */
  async release(): Promise<void> {
    if (!this.#isReady) return;
    await this.#storage.write(async (tx) => {
      await tx.deleteFrom("spare_pages").where("piece", ">", 0).execute();
    });
    this.#isReady = false;
  }
}
