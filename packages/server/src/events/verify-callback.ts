import { randomUUID } from "node:crypto";
import { type Attempts, outcomeOf } from "./attempt.ts";
import { CALLBACK_CONTENT_TYPE } from "./deliver.ts";

/**
 * Asks a callback whether it is there (spec.md, "URL verification"). Any 2xx passes, whatever it says; the request carries
 * no `X-Open-*` headers.
 */
export async function verifyCallback(attempts: Attempts, url: string): Promise<boolean> {
  const body = Buffer.from(JSON.stringify({ type: "url_verification", challenge: randomUUID() }));
  const headers = { "Content-Type": CALLBACK_CONTENT_TYPE, "User-Agent": "Portico-Webhook" };
  return outcomeOf(await attempts.run({ url, body, headers })) === "delivered";
}
