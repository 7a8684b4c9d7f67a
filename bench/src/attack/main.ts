/** `npm run attack`: measures how attacks affect well-behaved callers. `--help` lists the options. */
import { openDatabases } from "../contenders/databases.ts";
import { describeMachine } from "../machine.ts";
import { UsageError } from "../options.ts";
import { printed } from "../report/report.ts";
import { type AttackResult, type AttackSetup, measureAttack } from "./measure.ts";
import { type AttackOptions, readAttackOptions, USAGE } from "./options.ts";
import { OF_THE_RUN, takePrecedence } from "./precedence.ts";
import { reportAttacks } from "./report.ts";
import type { Engine, Scenario } from "./scenario.ts";

async function main(): Promise<void> {
  try {
    const options = readAttackOptions(process.argv.slice(2));
    if (options === null) process.stdout.write(USAGE);
    else await runAll(options);
  } catch (error) {
    const known = error instanceof UsageError;
    process.stderr.write(known ? `${error.message}\n\n${USAGE}` : `The attack could not be made: ${describe(error)}\n`);
    process.exitCode = known ? 2 : 1;
  }
}

async function runAll({ scenarios, engines, seconds, realTime }: AttackOptions): Promise<void> {
  if (realTime) takePrecedence(OF_THE_RUN);
  const machine = describeMachine();
  const results: AttackResult[] = [];
  const skipped: string[] = [];
  for (const scenario of scenarios) {
    for (const engine of engines.filter((candidate) => scenario.engines.includes(candidate))) {
      const outcome = await attackOn(scenario, engine, { seconds, realTime });
      if (typeof outcome === "string") skipped.push(`${scenario.name}, ${engine}: ${outcome}`);
      else results.push(outcome);
    }
  }
  const report = reportAttacks(results, { seconds, realTime }, skipped);
  process.stdout.write(printed(report, machine, "docs/reliability.md"));
  if (report.verdicts.some(({ failed }) => failed)) process.exitCode = 1;
}

/** Runs one attack on a service with its own databases, if it needs any; returns the reason when it cannot run. */
async function attackOn(scenario: Scenario, engine: Engine, setup: AttackSetup): Promise<AttackResult | string> {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  if (engine === "embedded") return await measureAttack(scenario, null, setup, progress);
  const databases = await openDatabases(process.env);
  if ("missing" in databases) return databases.missing;
  try {
    return await measureAttack(scenario, databases, setup, progress);
  } finally {
    await databases.stop();
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await main();
