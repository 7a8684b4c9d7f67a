import { FailureError } from "./command.ts";

/** Runs work of the service; what it throws is told by its message. */
export async function withOperatorWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new FailureError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
