import { ConfigError } from "../../config/config-error.ts";
import { splitPostgresHosts } from "../../config/postgres-hosts.ts";

/** The parameter of the URL that says what is between the service and PostgreSQL. */
const POOLER = "pooler";
/** libpq's parameter for which of several servers to use. */
const TARGET = "target_session_attrs";
/** A service always writes, so these mean the same. */
const TARGETS = ["read-write", "primary"];

/** How PostgreSQL is reached. */
export interface PostgresAddress {
  /** The servers, one of which is the primary. */
  urls: readonly [string, ...string[]];
  /**
   * Whether a pooler, such as PgBouncer, lends a connection of the server for a transaction at a time. Then a session
   * keeps neither settings nor prepared statements.
   */
  isPooled: boolean;
}

/**
 * Parses a URL of PostgreSQL, which may name several hosts; `pooler=transaction` is a parameter of ours.
 *
 * @throws ConfigError when it is none, or for another value of it or of `target_session_attrs`.
 */
export function parsePostgresAddress(raw: string): PostgresAddress {
  const [first, ...others] = (splitPostgresHosts(raw) ?? []).map((text) => new URL(text));
  if (first === undefined) throw new ConfigError("PORTICO_DATABASE_URL is no URL of PostgreSQL");
  const pooler = first.searchParams.get(POOLER);
  if (pooler !== null && pooler !== "transaction") {
    throw new ConfigError(`PORTICO_DATABASE_URL: ${POOLER} must be "transaction", or be left out without a pooler`);
  }
  const target = first.searchParams.get(TARGET);
  if (target !== null && !TARGETS.includes(target)) {
    throw new ConfigError(`PORTICO_DATABASE_URL: ${TARGET} must be one of ${TARGETS.join(", ")}, or be left out`);
  }
  return { urls: [withoutOurs(first), ...others.map(withoutOurs)], isPooled: pooler !== null };
}

function withoutOurs(url: URL): string {
  for (const name of [POOLER, TARGET]) if (url.searchParams.has(name)) url.searchParams.delete(name);
  return url.href;
}
