import { pino } from "pino";
import { banner } from "./banner.ts";
import { systemClock } from "./clock.ts";
import { loadConfig } from "./config/config.ts";
import { ConfigError } from "./config/config-error.ts";
import { ProvisioningError } from "./provisioning/provisioning-error.ts";
import { type Portico, type StartParts, startPortico } from "./start.ts";

export { provisionFromFile } from "./provision-command.ts";
export type { ProvisionSummary } from "./provisioning/apply.ts";

/** The exit code when the disk has failed (EX_IOERR of sysexits.h): the service has ended itself, and may be started again. */
const EXIT_DISK_FAILED = 74;
/** How long answers may take to go out then. */
const LAST_ANSWERS_MS = 500;
/** A stop that takes longer than this is cut short. */
const STOP_WITHIN_MS = 9_000;

/**
 * Runs the service until a signal ends it. Exits 0 after a clean stop, 1 when the start or the stop fails, 74 when the disk
 * fails.
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
    stopOnSignal(portico);
    process.stdout.write(banner(portico));
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ProvisioningError)) throw error;
    process.stderr.write(`portico: ${error.message}\n`);
    process.exitCode = 1;
  }
}

/** Nothing is closed in order: that would wait for the disk. */
function endSoon(): void {
  setTimeout(() => process.exit(EXIT_DISK_FAILED), LAST_ANSWERS_MS);
}

function stopOnSignal(portico: Portico): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    portico.ctx.log.info(`${signal}: stopping`);
    setTimeout(() => {
      portico.ctx.log.error("the stop took too long and was cut short");
      process.exit(0);
    }, STOP_WITHIN_MS).unref();
    try {
      await portico.stop();
      process.exit(0);
    } catch (error) {
      portico.ctx.log.error({ err: error }, "the stop failed");
      process.exit(1);
    }
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
}
