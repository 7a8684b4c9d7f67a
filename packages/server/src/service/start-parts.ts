import type { Logger } from "pino";
import type { BuiltPages } from "../api/pages/built-pages.ts";
import type { HashCost } from "../domain/accounts/hash-thread.ts";
import type { Network } from "../domain/webhooks/webhooks.ts";
import type { Clock } from "../platform/clock/clock.ts";
import type { Probe } from "../platform/disk/free-space.ts";
import type { Serializers } from "../platform/http/serializers.ts";
import type { PostgresDeadlines } from "../platform/storage/postgres/postgres-deadlines.ts";
import type { Syncing } from "../platform/storage/sqlite/write-ahead-log.ts";
import type { ObserveSql } from "../platform/storage/storage.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";

/** Dependencies of the service that tests replace. */
export interface StartParts {
  clock: Clock;
  log: Logger;
  /** The network for webhook callbacks; default: the machine's. */
  network?: Network;
  /** Syncs the log of the embedded database; default: the system's fdatasync. */
  syncing?: Syncing;
  /** Where traces go; default: nowhere. The caller closes it. */
  tracing?: Tracing | null;
  /** Measures the free disk space; default: asks the system. */
  probe?: Probe;
  /**
   * Called when the disk has failed, so that the process must end without a stop. Calls in flight have failed or are
   * about to.
   */
  onFatal?: (error: unknown) => void;
  /** Timeouts for PostgreSQL; default: those for production. */
  deadlines?: PostgresDeadlines;
  /** The database's clock, in epoch milliseconds; default: that of the database, if it has its own. */
  databaseNow?: () => Promise<number | null>;
  /** Called with each statement sent to the database. */
  observeSql?: ObserveSql;
  /** The cost of password hashes; default: the secure one. */
  hashCost?: HashCost;
  /**
   * The folder with the built pages, or what `readBuiltPages` has read from it, for services that start one after another;
   * default: the output folder of `npm run build`.
   */
  pages?: URL | BuiltPages;
  /** Compiled answer schemas, for tests that start the service many times in a process. */
  serializers?: Serializers;
}
