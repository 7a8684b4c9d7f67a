import { parseArgs } from "node:util";
import { UsageError } from "../options.ts";
import type { Engine, Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios/index.ts";

/** The options of a run. */
export interface AttackOptions {
  scenarios: readonly Scenario[];
  engines: readonly Engine[];
  /** Duration of one phase. */
  seconds: number;
  /** Whether the processes of the run come before all other work on the machine. */
  realTime: boolean;
}

const WIDTH = Math.max(...SCENARIOS.map(({ name }) => name.length));

export const USAGE = `Usage: npm run attack -- NAME... [options]
       npm run attack -- --all [options]

Starts a service, and measures well-behaved callers without and then during an attack. The promise: their p99 at most
triples, no call takes a second, and the service uses less than 400 MB.

${SCENARIOS.map(({ name, what }) => `  ${name.padEnd(WIDTH)}  ${what}`).join("\n")}

  --all          all of them
  --engine NAME  embedded or distributed (default: both, if the attack applies to them)
  --seconds N    duration of one phase, 1 to 120 (default 10)
  --real-time    run before all other work on a machine that is not idle (SCHED_RR, needs root and chrt); set the
                 system's sched_rr_timeslice_ms to 3 first, so that processes take turns as they otherwise do
  --help         show this

The distributed service is included when PostgreSQL and Redis are available: PORTICO_TEST_POSTGRES_URL and
PORTICO_TEST_REDIS_URL name them; otherwise they are started.
`;

const MAX_SECONDS = 120;

/**
 * Reads the command line; null for `--help`.
 *
 * @throws UsageError naming the invalid option.
 */
export function readAttackOptions(args: string[]): AttackOptions | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  if (positionals.length === 0 && !values.all) throw new UsageError("name an attack, or ask for --all");
  return {
    scenarios: values.all ? SCENARIOS : positionals.map(scenarioNamed),
    engines: enginesOf(values.engine),
    seconds: secondsOf(values.seconds),
    realTime: values["real-time"] === true,
  };
}

function parse(args: string[]) {
  const options = {
    all: { type: "boolean" },
    engine: { type: "string" },
    seconds: { type: "string" },
    "real-time": { type: "boolean" },
    help: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function scenarioNamed(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found === undefined) throw new UsageError(`there is no attack "${name}"`);
  return found;
}

function enginesOf(name: string | undefined): Engine[] {
  if (name === undefined) return ["embedded", "distributed"];
  if (name === "embedded" || name === "distributed") return [name];
  throw new UsageError("--engine must be embedded or distributed");
}

function secondsOf(raw = "10"): number {
  const seconds = /^\d{1,3}$/.test(raw) ? Number(raw) : 0;
  if (seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw new UsageError(`--seconds must be a whole number from 1 to ${MAX_SECONDS}`);
}
