import type { Logger } from "pino";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Storage } from "../../platform/storage/storage.ts";

/** What serving the pages needs. */
export interface PagesParts {
  clock: Clock;
  config: Config;
  log: Logger;
  storage: Storage;
}
