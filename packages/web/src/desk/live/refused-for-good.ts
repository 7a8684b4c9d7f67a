import { ApiRefusedError } from "@portico/protocol/client";

/** Whether the service has refused a call so that another try gets the same answer. */
export function isRefusedForGood(error: unknown): boolean {
  return error instanceof ApiRefusedError && error.httpStatus < 500 && error.httpStatus !== 429;
}
