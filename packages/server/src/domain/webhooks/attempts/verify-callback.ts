import { randomUUID } from "node:crypto";
import { type Attempts, outcomeOf } from "./attempt.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { CALLBACK_HEADERS } from "./callback-headers.ts";

/** The result of asking a callback whether it is there. */
export interface Verification {
  passed: boolean;
  attempt: AttemptResult;
}

/**
 * Verifies a callback (docs/contract/events.md#verifying-an-address): any 2xx answer passes, whatever its body. The
 * request has no `X-Open-*` headers.
 */
export async function verifyCallback(attempts: Attempts, url: string): Promise<Verification> {
  const body = Buffer.from(JSON.stringify({ type: "url_verification", challenge: randomUUID() }));
  const attempt = await attempts.run({ pool: "verify", url, body, headers: () => CALLBACK_HEADERS });
  return { passed: outcomeOf(attempt) === "delivered", attempt };
}
