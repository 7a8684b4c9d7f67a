import { parseArgs } from "node:util";

/** The options of a run. */
export interface Options {
  /** Duration of one phase. */
  seconds: number;
  connections: number;
  rounds: number;
  /** The commit that `versions` compares with. */
  against: string;
  /** The comparisons to run. */
  comparisons: Comparison[];
  /** The file for all figures as JSON; null for none. */
  jsonFile: string | null;
}

/** The comparisons, with their descriptions. */
const COMPARISONS = [
  { name: "text", what: "signed durable sends of a text, against a bare HTTP server that only checks signatures" },
  { name: "card", what: "the same with a 10 KB card of 100 components" },
  { name: "rules", what: "the card rules in one process, against JSON.parse" },
  { name: "live", what: "the time from the answer of a call to the arrival of its change at members' streams" },
  {
    name: "webhook",
    what: "deliveries to a TLS receiver, against a bare HTTP client; the time from the message to its delivery",
  },
  {
    name: "members",
    what: "members' posts beside signed sends, and their reads beside a bare HTTP server with the same answers",
  },
  {
    name: "customer",
    what: "customer service: messages and reads of integrators, widgets and desks, compared in the same way",
  },
  {
    name: "console",
    what: "the console's lists beside a bare HTTP server with the same answers, and signed sends beside the lists",
  },
  {
    name: "uploads",
    what: "parallel uploads of 19 MiB each, against a bare HTTP server that stores them; their memory",
  },
  {
    name: "streams",
    what: "the memory of 10,000 idle member streams, and a message to a group of 5,000 of their members",
  },
  {
    name: "desk",
    what: "the memory and processor time of 1,000 visitors and 20 agents, idle and in conversation",
  },
  { name: "grown", what: "signed sends to a store with a million messages, against an empty one" },
  { name: "versions", what: "the distributed service's sends and delivered posts, against an older version's" },
  { name: "explain", what: "the time from a refusal to its explanation by reqNo, under load" },
] as const;
export type Comparison = (typeof COMPARISONS)[number]["name"];
/** The last version that handled one call after another on PostgreSQL. */
const ONE_BY_ONE = "1b7b1c2";
const NAMES = COMPARISONS.map(({ name }) => name);

export const USAGE = `Usage: npm run bench -- [options]

Measures the promised figures, where possible against a baseline in the same run.

${COMPARISONS.map(({ name, what }) => `  ${name.padEnd(15)}  ${what}`).join("\n")}

  --only NAME      only this one
  --seconds N      duration of one phase, 1 to 60 (default 3), or less if the requests signed in advance run out
  --connections N  connections of the load generator to the server under load, 1 to 1024 (default 32)
  --rounds N       rounds, each with every server in turn, 1 to 99 (default 3)
  --against COMMIT what versions compares with (default ${ONE_BY_ONE}); it must be in this repository's history
  --json FILE      also write every figure to FILE
  --help           show this

The distributed service is included when PostgreSQL and Redis are available: PORTICO_TEST_POSTGRES_URL and
PORTICO_TEST_REDIS_URL name them; otherwise they are started.
`;

/** Invalid options; the message is for the caller. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Reads the command line; null for `--help`.
 *
 * @throws UsageError naming the invalid option.
 */
export function readOptions(args: string[]): Options | null {
  const { values } = parse(args);
  if (values.help) return null;
  return {
    seconds: integer("seconds", values.seconds, 3, 60),
    connections: integer("connections", values.connections, 32, 1_024),
    rounds: integer("rounds", values.rounds, 3, 99),
    against: values.against ?? ONE_BY_ONE,
    comparisons: values.only === undefined ? NAMES : [comparison(values.only)],
    jsonFile: values.json ?? null,
  };
}

function parse(args: string[]) {
  const text = { type: "string" } as const;
  const options = { seconds: text, connections: text, rounds: text, only: text, against: text, json: text } as const;
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
