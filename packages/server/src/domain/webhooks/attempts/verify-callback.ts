import { randomUUID } from "node:crypto";
import { type Attempts, outcomeOf } from "./attempt.ts";
import { CALLBACK_HEADERS } from "./callback-headers.ts";

/**
 * Verifies a callback (docs/contract/events.md#verifying-an-address): any 2xx answer passes, whatever its body. The
 * request has no `X-Open-*` headers.
 */
export async function verifyCallback(attempts: Attempts, url: string): Promise<boolean> {
  const body = Buffer.from(JSON.stringify({ type: "url_verification", challenge: randomUUID() }));
  return outcomeOf(await attempts.run({ pool: "verify", url, body, headers: () => CALLBACK_HEADERS })) === "delivered";
}
