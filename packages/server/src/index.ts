import { pino } from "pino";
import { ProvisioningError } from "./domain/provisioning/provisioning-error.ts";
import { systemClock } from "./platform/clock/clock.ts";
import { loadConfig } from "./platform/config/config.ts";
import { ConfigError } from "./platform/config/config-error.ts";
import { isDiskFull } from "./platform/disk/disk-full.ts";
import { banner } from "./service/banner.ts";
import { type Portico, type StartParts, startPortico } from "./service/start.ts";

export type { AppliedChange, ProvisionReport, SkippedItem } from "./domain/provisioning/report.ts";
export { provisionFromFile } from "./service/provision-command.ts";

/** The exit code when the disk has failed (EX_IOERR of sysexits.h): the service has ended itself, and may be started again. */
const EXIT_DISK_FAILED = 74;
/** How long answers may take to go out then. */
const LAST_ANSWERS_MS = 500;
/** The exit code when a newer version has taken the database over (EX_TEMPFAIL): that version is to be started. */
const EXIT_RETIRED = 75;
/** So long whoever asks is told that the process is not ready, and calls that come are refused, before it ends. */
const RETIRE_WITHIN_MS = 3_000;
/** A stop that takes longer than this is cut short. */
const STOP_WITHIN_MS = 9_000;

/**
 * Runs the service until a signal ends it. Exits 0 after a clean stop, 1 when the start or the stop fails, 74 when the disk
 * fails, 75 when a newer version has migrated the database.
 */
export async function main(
  env: NodeJS.ProcessEnv = process.env,
  parts: Pick<StartParts, "syncing"> = {},
): Promise<void> {
  // What a library makes, and does not close to others by itself, is closed all the same.
  process.umask(0o077);
  try {
    const config = loadConfig(env);
    const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
    const portico = await startPortico(config, { ...parts, clock: systemClock, log, onFatal: endSoon });
    stopInTheEnd(portico);
    process.stdout.write(banner(portico));
  } catch (error) {
    process.stderr.write(`portico: ${wordsFor(error)}\n`);
    process.exitCode = 1;
  }
}

/** @throws `error` when there are no words for the operator. */
function wordsFor(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ProvisioningError) return error.message;
  if (isDiskFull(error)) return "the disk that the data directory lies on is full: make room, then start again";
  throw error;
}

/** Nothing is closed in order: that would wait for the disk. */
function endSoon(): void {
  setTimeout(() => process.exit(EXIT_DISK_FAILED), LAST_ANSWERS_MS);
}

function stopInTheEnd({ ctx, stop }: Portico): void {
  const { log, retirement } = ctx;
  let stopping = false;
  const end = async (why: string, code: number) => {
    if (stopping) return;
    stopping = true;
    log.info(`${why}: stopping`);
    setTimeout(() => {
      log.error("the stop took too long and was cut short");
      process.exit(code);
    }, STOP_WITHIN_MS).unref();
    try {
      await stop();
      process.exit(code);
    } catch (error) {
      log.error({ err: error }, "the stop failed");
      process.exit(1);
    }
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void end(signal, 0));
  retirement.onBegin((reason) => setTimeout(() => void end(reason, EXIT_RETIRED), RETIRE_WITHIN_MS));
}
