import { pino } from "pino";
import { banner } from "./banner.ts";
import { systemClock } from "./clock.ts";
import { loadConfig } from "./config/config.ts";
import { ConfigError } from "./config/config-error.ts";
import { ProvisioningError } from "./provisioning/provisioning-error.ts";
import { type Portico, startPortico } from "./start.ts";

export { provisionFromFile } from "./provision-command.ts";
export type { ProvisionSummary } from "./provisioning/apply.ts";

/** A stop that takes longer than this is cut short. */
const STOP_WITHIN_MS = 9_000;

/** Runs the service until a signal ends it. Exits 0 after a clean stop, 1 when the start or the stop fails. */
export async function main(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  try {
    const config = loadConfig(env);
    const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
    const portico = await startPortico(config, { clock: systemClock, log });
    stopOnSignal(portico);
    process.stdout.write(banner(portico));
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ProvisioningError)) throw error;
    process.stderr.write(`portico: ${error.message}\n`);
    process.exitCode = 1;
  }
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
