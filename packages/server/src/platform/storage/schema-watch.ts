import type { Logger } from "pino";
import type { Storage } from "./storage.ts";

const EVERY_MS = 1_000;

/** Checks every second whether a newer version has migrated this database. */
export class SchemaWatch {
  readonly #storage: Storage;
  readonly #log: Logger;
  readonly #onNewer: (migrations: string[]) => void;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | null = null;

  /** @param onNewer called once, with the migrations that this version does not know. */
  constructor(storage: Storage, log: Logger, onNewer: (migrations: string[]) => void) {
    this.#storage = storage;
    this.#log = log;
    this.#onNewer = onNewer;
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look();
    }, EVERY_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    try {
      const newer = await this.#storage.newerMigrations();
      if (newer.length > 0) {
        clearInterval(this.#timer);
        this.#onNewer(newer);
      }
    } catch (error) {
      this.#log.debug({ err: error }, "the migrations could not be read; looked at again in a second");
    }
    this.#looking = null;
  }
}
