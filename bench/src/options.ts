import { parseArgs } from "node:util";

/** What the caller asked for. */
export interface Options {
  /** Length of one phase. */
  seconds: number;
  connections: number;
  rounds: number;
  /** The comparisons to run. */
  comparisons: Comparison[];
  /** Where all figures go as JSON; null for nowhere. */
  jsonFile: string | null;
}

/** What can be measured, and what that is. */
const COMPARISONS = [
  { name: "text", what: "signed durable sends of a text, against a bare HTTP server that only checks signatures" },
  { name: "card", what: "the same with a 10 KB card of 100 components" },
  { name: "rules", what: "the card rules in one process, against JSON.parse" },
  { name: "live", what: "from the answer of a call to the arrival of its change at members who watch" },
  {
    name: "webhook",
    what: "deliveries to a TLS receiver, against a bare HTTP client; how soon after the fact they come",
  },
  { name: "explain", what: "how soon a refused call is explained by its reqNo, beside a load" },
] as const;
export type Comparison = (typeof COMPARISONS)[number]["name"];
const NAMES = COMPARISONS.map(({ name }) => name);

export const USAGE = `Usage: npm run bench -- [options]

Measures what is promised, wherever possible against a yardstick in the same run.

${COMPARISONS.map(({ name, what }) => `  ${name.padEnd(15)}  ${what}`).join("\n")}

  --only NAME      one of these alone
  --seconds N      length of one phase, 1 to 60 (default 3); sends are signed ahead, and a phase ends when they run out
  --connections N  connections of the load generator to the server under load, 1 to 1024 (default 32)
  --rounds N       rounds, in each of which every server has its turn, 1 to 99 (default 3)
  --json FILE      also write every figure to FILE
  --help           show this

The distributed service is included when PostgreSQL and Redis are at hand: PORTICO_TEST_POSTGRES_URL and
PORTICO_TEST_REDIS_URL name them, else they are started.
`;

/** Options that cannot be understood, in words for the caller. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Reads the command line; null when help was asked for.
 *
 * @throws UsageError naming the option that is wrong.
 */
export function readOptions(args: string[]): Options | null {
  const { values } = parse(args);
  if (values.help) return null;
  return {
    seconds: integer("seconds", values.seconds, 3, 60),
    connections: integer("connections", values.connections, 32, 1_024),
    rounds: integer("rounds", values.rounds, 3, 99),
    comparisons: values.only === undefined ? NAMES : [comparison(values.only)],
    jsonFile: values.json ?? null,
  };
}

function parse(args: string[]) {
  const text = { type: "string" } as const;
  const options = { seconds: text, connections: text, rounds: text, only: text, json: text } as const;
  try {
    return parseArgs({ args, options: { ...options, help: { type: "boolean" } } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function integer(name: string, raw: string | undefined, fallback: number, max: number): number {
  if (raw === undefined) return fallback;
  const value = /^\d{1,9}$/.test(raw) ? Number(raw) : 0;
  if (value < 1 || value > max) throw new UsageError(`--${name} must be a whole number from 1 to ${max}`);
  return value;
}

function comparison(name: string): Comparison {
  const known = NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw new UsageError(`--only must be one of ${NAMES.join(", ")}`);
  return known;
}
