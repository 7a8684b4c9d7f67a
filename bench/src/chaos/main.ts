/** `npm run chaos`: breaks a service under load and compares the result with a model. `--help` lists the options. */
import { mkdir } from "node:fs/promises";
import { UsageError } from "../options.ts";
import { type ChaosOptions, readChaosOptions, USAGE } from "./options.ts";
import { reportChaos } from "./report.ts";
import { runChaos } from "./run.ts";

async function main(): Promise<void> {
  try {
    const options = readChaosOptions(process.argv.slice(2));
    if (options === null) process.stdout.write(USAGE);
    else await runAll(options);
  } catch (error) {
    const known = error instanceof UsageError;
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(known ? `${error.message}\n\n${USAGE}` : `The run could not be made: ${why}\n`);
    process.exitCode = known ? 2 : 1;
  }
}

async function runAll(options: ChaosOptions): Promise<void> {
  if (options.logs !== null) await mkdir(options.logs, { recursive: true });
  for (const engine of options.engines) {
    process.stderr.write(`${engine}: seed ${options.seed}, ${options.seconds} s\n`);
    const result = await runChaos(engine, options, (line) => void process.stderr.write(`${line}\n`));
    process.stdout.write(reportChaos(result, options));
    if (result.violationCount > 0) process.exitCode = 1;
  }
}

await main();
