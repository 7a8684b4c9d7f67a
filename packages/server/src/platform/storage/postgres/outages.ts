import type pg from "pg";
import { Unavailable } from "../../errors/unavailable.ts";
import { cut, isLost } from "./cuttable-client.ts";

/**
 * SQLSTATE codes of statement timeout, lock timeout, idle transaction timeout, transaction timeout, read-only server.
 */
const OUTAGES = new Set(["57014", "55P03", "25P03", "25P04", "25006"]);
/** Its connection leads to a server that is no longer the primary. */
const READ_ONLY = "25006";
/** SQLSTATE classes: connection lost, insufficient resources, operator intervention, system error. */
const OUTAGE_CLASSES = new Set(["08", "53", "57", "58"]);

/** Returns `error` of `client` as an Unavailable when it is an outage, else as it is. */
export function asOutage(client: pg.PoolClient, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === READ_ONLY) cut(client);
  const isOutage = isLost(client) || OUTAGES.has(code) || (code.length === 5 && OUTAGE_CLASSES.has(code.slice(0, 2)));
  return isOutage && !(error instanceof Unavailable)
    ? new Unavailable("PostgreSQL does not answer as it should", { cause: error })
    : error;
}

/** Whether PostgreSQL has answered with one of these codes, also where that was made an outage. */
export function hasCode(error: unknown, codes: ReadonlySet<unknown>): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && codes.has(error.code)) || hasCode(error.cause, codes);
}
