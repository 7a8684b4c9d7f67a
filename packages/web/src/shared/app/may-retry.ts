import { ApiRefusedError, ConsoleRefusedError } from "@portico/protocol/client";

/** Reads are tried so often when the network or the service fails. */
const TRIES = 2;

/** Whether a read that failed is worth another try: a refusal is the service's verdict, another try gets the same. */
export function mayRetry(failures: number, error: unknown): boolean {
  return failures < TRIES && isPassing(error);
}

/** Whether a failure may be over at the next try. */
export function isPassing(error: unknown): boolean {
  const status =
    error instanceof ApiRefusedError
      ? error.httpStatus
      : error instanceof ConsoleRefusedError
        ? error.status
        : undefined;
  return status === undefined || status >= 500;
}
