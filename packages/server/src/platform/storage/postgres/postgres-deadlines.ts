/** Timeouts for PostgreSQL, in milliseconds. */
export interface PostgresDeadlines {
  /** For a connection, whether taken from the pool or opened. */
  connectMs: number;
  /** For one statement, enforced by the server. */
  statementMs: number;
  /**
   * For the answer to a query, enforced by the client. Longer than {@link statementMs}, so that only an unresponsive
   * server exceeds it.
   */
  answerMs: number;
  /**
   * For a transaction whose client sends nothing more, enforced by the server, which rolls it back and frees its locks.
   */
  idleInTransactionMs: number;
  /** For a whole transaction, enforced by the client. */
  transactionMs: number;
  /**
   * For the answer to a query that was already running when another connection to the same database was lost: its own
   * may be dead too.
   */
  suspectMs: number;
}

/** For calls. A caller that waits for row locks of a frozen process gets them before its own deadline. */
export const CALL_DEADLINES: PostgresDeadlines = {
  connectMs: 4_500,
  statementMs: 4_000,
  answerMs: 4_500,
  idleInTransactionMs: 2_500,
  transactionMs: 10_000,
  suspectMs: 4_500,
};

/**
 * For work without a waiting caller: sweeps, provisioning files, and migrations, which may build an index of a large
 * table.
 */
export const UNHURRIED_DEADLINES: PostgresDeadlines = {
  connectMs: 5_000,
  statementMs: 3_600_000,
  answerMs: 3_605_000,
  idleInTransactionMs: 30_000,
  transactionMs: 7_200_000,
  suspectMs: 60_000,
};
