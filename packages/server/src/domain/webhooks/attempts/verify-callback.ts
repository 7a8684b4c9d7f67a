import { randomUUID } from "node:crypto";
import { type Attempts, outcomeOf } from "./attempt.ts";
import { CALLBACK_HEADERS } from "./callback-headers.ts";

/**
 * Asks a callback whether it is there (docs/contract/events.md#verifying-an-address). Any 2xx passes, whatever it
 * says; the request carries no `X-Open-*` headers.
 */
export async function verifyCallback(attempts: Attempts, url: string): Promise<boolean> {
  const body = Buffer.from(JSON.stringify({ type: "url_verification", challenge: randomUUID() }));
  return outcomeOf(await attempts.run({ pool: "verify", url, body, headers: () => CALLBACK_HEADERS })) === "delivered";
}
