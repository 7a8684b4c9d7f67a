import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Engine } from "../attack/scenario.ts";
import { UsageError } from "../options.ts";
import { FAULTS, type Fault } from "./faults/index.ts";

/** The options of a run. */
export interface ChaosOptions {
  seconds: number;
  seed: number;
  engines: readonly Engine[];
  /** The number of processes of a distributed service. */
  processes: number;
  /** The faults to choose from; those of another engine are left out. */
  faults: readonly Fault[];
  /** The directory for the processes' logs; null for none. */
  logs: string | null;
}

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 86_400;
const MAX_SEED = 2 ** 32 - 1;
const DEFAULT_PROCESSES = 2;
const MAX_PROCESSES = 8;
const WIDTH = Math.max(...FAULTS.map(({ name }) => name.length));

export const USAGE = `Usage: npm run chaos -- [options]

Runs a service under load of every kind, breaks it and what it depends on in ways that the seed decides, and compares
the result with what was acknowledged: nothing lost, nothing doubled, nothing out of order, and recovery by itself.

${FAULTS.map(({ name, what }) => `  ${name.padEnd(WIDTH)}  ${what}`).join("\n")}

  --seconds N       duration of the load, 1 to ${MAX_SECONDS} (default ${DEFAULT_SECONDS})
  --seed N          0 to ${MAX_SEED} (default: a random one, which is printed); the same seed makes the same faults
  --engine NAME     embedded or distributed (default: both, one after the other)
  --processes N     processes of the distributed service, 1 to ${MAX_PROCESSES} (default ${DEFAULT_PROCESSES})
  --faults A,B      only these (default: all that the machine allows)
  --logs DIR        write the logs of the processes into this directory
  --help            show this

Exits 0 when every promise held, 1 when one was broken or the run could not be made, 2 for wrong options. The
distributed service needs redis-server on PATH; PostgreSQL is started from the dependencies.
`;

/**
 * Reads the command line; null for `--help`.
 *
 * @throws UsageError naming the invalid option.
 */
export function readChaosOptions(args: string[]): ChaosOptions | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    seconds: wholeNumber("seconds", values.seconds, DEFAULT_SECONDS, [1, MAX_SECONDS]),
    seed: wholeNumber("seed", values.seed, randomInt(MAX_SEED), [0, MAX_SEED]),
    engines: enginesOf(values.engine),
    processes: wholeNumber("processes", values.processes, DEFAULT_PROCESSES, [1, MAX_PROCESSES]),
    faults: faultsOf(values.faults),
    logs: values.logs ?? null,
  };
}

function parse(args: string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { seconds: text, seed: text, engine: text, processes: text, faults: text, logs: text, help: flag };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(
  name: string,
  raw: string | undefined,
  byDefault: number,
  [least, most]: [number, number],
): number {
  if (raw === undefined) return byDefault;
  const number = /^\d{1,10}$/.test(raw) ? Number(raw) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}`);
}

function enginesOf(name: string | undefined): Engine[] {
  if (name === undefined) return ["embedded", "distributed"];
  if (name === "embedded" || name === "distributed") return [name];
  throw new UsageError("--engine must be embedded or distributed");
}

function faultsOf(names: string | undefined): readonly Fault[] {
  if (names === undefined) return FAULTS;
  return names.split(",").map((name) => {
    const found = FAULTS.find((fault) => fault.name === name.trim());
    if (found === undefined) throw new UsageError(`there is no fault "${name.trim()}"`);
    return found;
  });
}
