import { randomBytes } from "node:crypto";
import type { Storage } from "../storage/storage.ts";

/** Pages per transaction; few enough not to delay other writes. */
const PIECE_BYTES = 256 * 1024;

/**
 * Pages of the embedded database that hold nothing of use. Once they are released, the database writes to them what is new
 * instead of growing: so, unlike free room on the disk, nobody else can take them.
 */
export class SparePages {
  readonly #storage: Storage;
  readonly #pieces: number;
  #isReady = false;

  private constructor(storage: Storage, bytes: number) {
    this.#storage = storage;
    this.#pieces = Math.floor(bytes / PIECE_BYTES);
  }

  /** Those of the database, which are to be `bytes`. */
  static async open(storage: Storage, bytes: number): Promise<SparePages> {
    const pages = new SparePages(storage, bytes);
    const last = storage.db.selectFrom("spare_pages").select("piece").where("piece", "=", pages.#pieces);
    pages.#isReady = (await last.executeTakeFirst()) !== undefined;
    return pages;
  }

  /** Sets them aside, unless they are. */
  async setAside(): Promise<void> {
    if (this.#isReady) return;
    for (let piece = 1; piece <= this.#pieces; piece++) {
      // Random, so that no file system keeps them in less.
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
  }

  /** Releases the pages unless that has been done. */
  async release(): Promise<void> {
    if (!this.#isReady) return;
    await this.#storage.write(async (tx) => {
      await tx.deleteFrom("spare_pages").where("piece", ">", 0).execute();
    });
    this.#isReady = false;
  }
}
