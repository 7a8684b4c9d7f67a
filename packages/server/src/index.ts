import { SERVICE_EXITS } from "@portico/protocol";
import { canAnybodySignIn } from "./domain/accounts/any-account.ts";
import { ProvisioningError } from "./domain/provisioning/provisioning-error.ts";
import { systemClock } from "./platform/clock/clock.ts";
import { ConfigError } from "./platform/config/config-error.ts";
import { loadConfig } from "./platform/config/load-config.ts";
import { isDiskFull } from "./platform/disk/disk-full.ts";
import { makeRoomForConnections } from "./platform/http/descriptor-table.ts";
import { openTracing } from "./platform/tracing/open-tracing.ts";
import type { Tracing } from "./platform/tracing/tracing.ts";
import { banner, commandOf } from "./service/banner.ts";
import { openLog } from "./service/open-log.ts";
import { type Portico, startPortico } from "./service/start.ts";
import type { StartParts } from "./service/start-parts.ts";

export type { AppliedChange, ProvisionReport, SkippedItem } from "./domain/provisioning/report.ts";
export { backUp } from "./operations/backup/backup.ts";
export type { BackupReport } from "./operations/backup/format.ts";
export { restore } from "./operations/backup/restore.ts";
export { checkStore } from "./operations/check-store/check-store.ts";
export { checkConfiguration } from "./operations/doctor.ts";
export { type MasterKeyReport, masterKeyStatus } from "./operations/master-key/master-key-status.ts";
export { type BegunRotation, rotateMasterKey } from "./operations/master-key/rotate-master-key.ts";
export { checkMigration, migrateStore } from "./operations/migrate-store.ts";
export { type MoveReport, moveStore } from "./operations/move/move.ts";
export { checkOperator, createOperator } from "./operations/operators.ts";
export { backupPassphrase } from "./platform/config/settings.ts";
export { provisionFromFile } from "./service/provision-command.ts";

/** Printed by a start on a store without anybody who could make the first account. */
const nobodyCanSignIn = (npx: string) => `
Nobody can sign in yet. Stop this, make the first operator with the settings of this service, and start again:
  ${npx} portico operator create --phone 13800000000 --channel 1 --name "Ops"

`;

/** The time for sending pending answers before an immediate exit. */
const LAST_ANSWERS_MS = 500;
/** The time between retirement and exit, in which readiness checks fail and new calls are refused. */
const RETIRE_WITHIN_MS = 3_000;
/** The time limit of a stop, after its delay. */
const STOP_WITHIN_MS = 9_000;

/**
 * Runs the service until a signal ends it. Exits 0 after a clean stop, 1 when the start or the stop fails, 74 when the disk
 * fails, 75 when a newer version has migrated the database.
 */
export async function main(
  env: NodeJS.ProcessEnv = process.env,
  parts: Partial<Pick<StartParts, "syncing" | "clock" | "hashCost">> = {},
): Promise<void> {
  // Also protects files that a library creates without a mode.
  process.umask(0o077);
  try {
    const config = loadConfig(env);
    const tracing = await openTracing(config);
    const log = openLog(config, tracing === null ? undefined : () => tracing.active());
    tracing?.tellTo(log);
    makeRoomForConnections(config.limits.connections);
    const portico = await startPortico(config, { clock: systemClock, ...parts, log, tracing, onFatal: endSoon });
    stopInTheEnd(portico, tracing);
    process.stdout.write(banner(portico));
    await mentionNobody(portico);
  } catch (error) {
    process.stderr.write(`portico: ${wordsFor(error)}\n`);
    process.exitCode = SERVICE_EXITS.FAILED;
  }
}

/** A service that runs goes on, whatever becomes of this look. */
async function mentionNobody({ ctx }: Portico): Promise<void> {
  try {
    if (!(await canAnybodySignIn(ctx.storage.db))) process.stdout.write(nobodyCanSignIn(commandOf(ctx.config)));
  } catch (error) {
    ctx.log.warn({ err: error }, "it could not be found out whether anybody can sign in");
  }
}

/** @throws `error` when it has no message for the operator. */
function wordsFor(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ProvisioningError) return error.message;
  if (isDiskFull(error)) return "the disk that the data directory lies on is full: make room, then start again";
  // A file that belongs to somebody else, a disk that fails: the system's own words tell enough.
  if (isSystemError(error)) return `the service cannot start: ${error.message}`;
  throw error;
}

function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return "syscall" in error || String(error.code).startsWith("SQLITE_");
}

/** Closes nothing in order, because that would wait for the disk. */
function endSoon(): void {
  setTimeout(() => process.exit(SERVICE_EXITS.DISK_FAILED), LAST_ANSWERS_MS);
}

function stopInTheEnd({ ctx, depart, stop }: Portico, tracing: Tracing | null): void {
  const { config, log, retirement } = ctx;
  let stopping = false;
  const end = async (why: string, code: number) => {
    if (stopping) return;
    stopping = true;
    log.info(`${why}: stopping`);
    // One that has retired has told balancers by then.
    const delayMs = code === SERVICE_EXITS.STOPPED ? config.stopDelayMs : 0;
    setTimeout(() => {
      log.error("the stop took too long and was cut short");
      process.exit(code);
    }, delayMs + STOP_WITHIN_MS).unref();
    try {
      await depart(delayMs);
      await stop();
      await tracing?.close();
      process.exit(code);
    } catch (error) {
      log.error({ err: error }, "the stop failed");
      process.exit(SERVICE_EXITS.FAILED);
    }
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void end(signal, SERVICE_EXITS.STOPPED));
  retirement.onBegin((reason) => setTimeout(() => void end(reason, SERVICE_EXITS.REPLACED), RETIRE_WITHIN_MS));
}
