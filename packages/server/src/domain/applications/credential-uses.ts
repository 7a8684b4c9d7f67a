import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";

const MINUTE_MS = 60_000;
const FLUSH_EVERY_MS = 1_000;
/** Credentials written in one transaction. It is small, so that calls never wait long behind it. */
const BATCH = 100;

const write = prepared<{ credentialId: string; at: number }>()((db, param) =>
  db
    .updateTable("credentials")
    .set({ last_used_at: param("at") })
    .where("credential_id", "=", param("credentialId"))
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", param("at"))])),
);

/**
 * Records when each credential was last used, to the minute, outside the path of the calls. Each credential is written
 * at most once a minute, in batches. Only existing credentials are recorded, so their number bounds the memory used.
 */
export class CredentialUses {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** The minute (since the epoch) that `#noted` and `#pending` refer to. */
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

  /** Records that a call was signed with the credential at `now` (epoch milliseconds). */
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

  /** Writes the recorded uses. Never rejects: a failed write is logged, and the loss is harmless. */
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
    // Rows are always written in the same order, so that two processes cannot deadlock.
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
