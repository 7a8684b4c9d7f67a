import { ApiRefusedError, ConsoleRefusedError } from "@portico/protocol/client";

/** Reads are tried so often when the network or the service fails. */
const TRIES = 2;

/** Whether a read that failed is worth another try: a refusal is the service's verdict, another try gets the same. */
export function mayRetry(failures: number, error: unknown): boolean {
  const status =
    error instanceof ApiRefusedError
      ? error.httpStatus
      : error instanceof ConsoleRefusedError
        ? error.status
        : undefined;
  return failures < TRIES && (status === undefined || status >= 500);
}
