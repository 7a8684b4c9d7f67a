import { ConfigError } from "../../config/config-error.ts";

/** The parameter of the URL that says what is between the service and PostgreSQL. */
const POOLER = "pooler";

/** How PostgreSQL is reached. */
export interface PostgresAddress {
  url: string;
  /**
   * Whether a pooler, such as PgBouncer, lends a connection of the server for a transaction at a time. Then a session
   * keeps neither settings nor prepared statements.
   */
  isPooled: boolean;
}

/**
 * Parses a URL of PostgreSQL; `pooler=transaction` is a parameter of ours.
 *
 * @throws ConfigError for another value of it.
 */
export function parsePostgresAddress(raw: string): PostgresAddress {
  const url = new URL(raw);
  const pooler = url.searchParams.get(POOLER);
  if (pooler === null) return { url: raw, isPooled: false };
  if (pooler !== "transaction") {
    throw new ConfigError(`PORTICO_DATABASE_URL: ${POOLER} must be "transaction", or be left out without a pooler`);
  }
  url.searchParams.delete(POOLER);
  return { url: url.href, isPooled: true };
}
