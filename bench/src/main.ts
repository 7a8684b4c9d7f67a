/** `npm run bench`: measures the service against a bare HTTP server. `--help` tells the options. */
import { writeFile } from "node:fs/promises";
import { choosePlacement, describeMachine } from "./machine.ts";
import { type Comparison, type Options, readOptions, USAGE, UsageError } from "./options.ts";
import { reportTextSends } from "./report/report.ts";
import { compareTextSends } from "./text-sends.ts";

async function main(): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options === null) process.stdout.write(USAGE);
    else await run(options);
  } catch (error) {
    const known = error instanceof UsageError;
    process.stderr.write(known ? `${error.message}\n\n${USAGE}` : `The bench failed: ${describe(error)}\n`);
    process.exitCode = known ? 2 : 1;
  }
}

async function run(options: Options): Promise<void> {
  await using opened = new AsyncDisposableStack();
  endOnSignal(opened);
  const machine = describeMachine();
  const placement = choosePlacement();
  const figures: Partial<Record<Comparison, unknown>> = {};
  for (const comparison of options.comparisons) {
    const result = await COMPARE[comparison](options, placement, opened, (line) => process.stderr.write(`${line}\n`));
    const report = reportTextSends(result, options, machine, placement.description);
    process.stdout.write(report.text);
    if (report.failed) process.exitCode = 1;
    figures[comparison] = result;
  }
  if (options.jsonFile !== null) {
    const content = { machine, placement: placement.description, options, ...figures };
    await writeFile(options.jsonFile, `${JSON.stringify(content, null, 2)}\n`);
  }
}

const COMPARE = { text: compareTextSends } satisfies Record<Comparison, unknown>;

/** A signal stops the servers before it ends this process. */
function endOnSignal(opened: AsyncDisposableStack): void {
  const end = async (code: number) => {
    try {
      await opened.disposeAsync();
    } finally {
      process.exit(code);
    }
  };
  process.once("SIGINT", () => void end(130));
  process.once("SIGTERM", () => void end(143));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await main();
