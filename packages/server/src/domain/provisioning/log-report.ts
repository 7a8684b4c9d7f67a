import type { Logger } from "pino";
import type { ProvisionReport } from "./report.ts";

/** The most skipped items that are logged. */
const MAX_LOGGED = 20;

/** Logs the result of applying the file at a start. */
export function logReport({ applied, unchanged, skipped, inherited }: ProvisionReport, log: Logger): void {
  log.info({ applied, unchanged, skipped: skipped.length }, "applied what has changed in the provisioning file");
  if (inherited > 0) {
    log.warn(
      { entities: inherited },
      "what an earlier version provisioned was left as it is: see `portico provision FILE --force --dry-run`",
    );
  }
  if (skipped.length === 0) return;
  const items = skipped.slice(0, MAX_LOGGED).map(({ entity, item, reason }) => `${entity} ${item}: ${reason}`);
  log.warn({ skipped: skipped.length, items }, "some of the provisioning file was not applied");
}
