import type { Logger } from "pino";
import { CuttableClient } from "./cuttable-client.ts";
import type { PostgresAddress } from "./postgres-address.ts";

/** How long one server may take to say whether it is the primary. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * Which of several servers takes writes. It is looked for at the start and whenever a connection was lost or refused a
 * write: then another one may have been promoted. Shared by the pools of a database.
 */
export class Primary {
  readonly isPooled: boolean;
  readonly #urls: readonly string[];
  readonly #log: Logger | null;
  #url: string;
  #isDoubtful: boolean;
  #searching: Promise<void> | null = null;

  constructor({ urls, isPooled }: PostgresAddress, log: Logger | null = null) {
    this.isPooled = isPooled;
    this.#urls = urls;
    this.#log = log;
    this.#url = urls[0];
    this.#isDoubtful = urls.length > 1;
  }

  /** The server that took writes when it was last asked. */
  get url(): string {
    return this.#url;
  }

  /** Whether {@link search} has nothing to find. */
  get isCertain(): boolean {
    return !this.#isDoubtful;
  }

  /** Another server may be the primary by now. */
  doubt(): void {
    this.#isDoubtful = this.#urls.length > 1;
  }

  /** Asks all servers at once; the first that takes writes is used. Without one, the last is kept. Never rejects. */
  async search(): Promise<void> {
    this.#searching ??= this.#ask().finally(() => {
      this.#searching = null;
    });
    await this.#searching;
  }

  async #ask(): Promise<void> {
    if (!this.#isDoubtful) return;
    this.#isDoubtful = false;
    const found = await Promise.any(this.#urls.map(assertWritable)).catch(() => null);
    if (found === null) this.doubt();
    else if (found !== this.#url)
      this.#log?.warn({ host: new URL(found).host }, "another PostgreSQL server is the primary");
    this.#url = found ?? this.#url;
  }
}

/** @throws when the server at `url` does not answer in time or takes no writes. */
async function assertWritable(url: string): Promise<string> {
  const client = new CuttableClient({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    // Also on while a server recovers, or follows another one.
    const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
    if (rows[0]?.transaction_read_only !== "off") throw new Error("it takes no writes");
    return url;
  } finally {
    client.socket.destroy();
  }
}
