import { randomUUID } from "node:crypto";
import { ConsoleRefusedError } from "@portico/protocol/client";
import { signRequest } from "@portico/protocol/signature";
import type { consoleOf } from "../load/sign-in.ts";
import { SEND_PATH, type Sender, sendBody } from "../load/signed-requests.ts";

/** How exact the result is. The promise is a second, and polling more often would itself be a load. */
const POLLED_EVERY_MS = 10;
const GIVEN_UP_MS = 10_000;

/** The console API of the application's owner. */
export type Console = ReturnType<typeof consoleOf>;

/**
 * Makes a call with a wrong signature and polls for its explanation.
 *
 * @returns the milliseconds from the refusal to the explanation.
 * @throws when the call is not refused, or not explained in time.
 */
export async function timeExplanation(port: number, sender: Sender, owner: Console): Promise<number> {
  const body = sendBody(sender.groupId, "text", 0, false);
  const parts = { method: "POST", path: SEND_PATH, rawQuery: "", nonce: randomUUID(), timestamp: Date.now(), body };
  const { headers } = signRequest({ ...sender, ...parts, appSecret: "not the secret" });
  const refused = await fetch(`http://127.0.0.1:${port}${SEND_PATH}`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body,
  });
  const refusedMs = performance.now();
  const { reqNo } = (await refused.json()) as { reqNo: string };
  if (refused.status !== 401) throw new Error(`a call with a wrong signature was answered with ${refused.status}`);
  for (;;) {
    const explanation = await owner.getRequest({ params: { appId: sender.appId, reqNo } }).catch(nullIfUnknown);
    const elapsedMs = performance.now() - refusedMs;
    if (explanation?.check === "signature") return elapsedMs;
    if (elapsedMs > GIVEN_UP_MS) throw new Error(`${reqNo} was not explained: ${JSON.stringify(explanation)}`);
    await new Promise((resolve) => setTimeout(resolve, POLLED_EVERY_MS));
  }
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof ConsoleRefusedError && error.status === 404) return null;
  throw error;
}
