import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";

const MINUTE_MS = 60_000;
const FLUSH_EVERY_MS = 1_000;
/** Credentials written in one unit of work, so that calls never wait long behind it. */
const BATCH = 100;

const write = prepared<{ credentialId: string; at: number }>()((db, param) =>
  db
    .updateTable("credentials")
    .set({ last_used_at: param("at") })
    .where("credential_id", "=", param("credentialId"))
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", param("at"))])),
);

/**
 * Remembers when each credential was last used, to the minute, off the path of the calls: each is written once in a
 * minute at most, among others. Only credentials that exist are noted, so their number bounds what is held.
 */
export class CredentialUses {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** The whole minute, since the epoch, of which `#noted` and `#pending` tell. */
  #minute = 0;
  readonly #noted = new Set<string>();
  #pending = new Map<string, number>();
  #flushing: Promise<void> | null = null;

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  /** Notes that a call was signed with the credential at `now` (epoch milliseconds). */
  note(credentialId: string, now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#noted.clear();
    }
    if (this.#noted.has(credentialId)) return;
    this.#noted.add(credentialId);
    this.#pending.set(credentialId, minute * MINUTE_MS);
  }

  /** Writes what has been noted. Never fails: what cannot be written is of no great weight, and is told of. */
  flush(): Promise<void> {
    this.#flushing ??= this.#drain().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    await this.flush();
  }

  async #drain(): Promise<void> {
    if (this.#pending.size === 0) return;
    // In one order everywhere, so that two processes never wait for each other's rows.
    const pending = [...this.#pending].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#pending = new Map();
    for (let start = 0; start < pending.length; start += BATCH) {
      const some = pending.slice(start, start + BATCH);
      await this.#storage.write((tx) => writeAll(tx, some)).catch(this.#onError);
    }
  }
}

async function writeAll(tx: Db, uses: [credentialId: string, at: number][]): Promise<void> {
  for (const [credentialId, at] of uses) await write.affected(tx, { credentialId, at });
}
