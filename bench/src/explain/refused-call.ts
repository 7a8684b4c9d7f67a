import { randomUUID } from "node:crypto";
import { signRequest } from "@portico/protocol/signature";
import { SEND_PATH, type Sender, sendBody } from "../load/signed-requests.ts";

const ASKED_EVERY_MS = 10;
const GIVEN_UP_MS = 10_000;

/** A developer's console, as far as explanations go. */
export interface Console {
  base: string;
  accessToken: string;
}

/** Logs the owner of the application in. */
export async function logIn(port: number, account: object): Promise<Console> {
  const base = `http://127.0.0.1:${port}/api/open/console/v1`;
  const answer = await fetch(`${base}/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  if (answer.status !== 200) throw new Error(`the developer could not log in: ${await answer.text()}`);
  const { accessToken } = (await answer.json()) as { accessToken: string };
  return { base, accessToken };
}

/**
 * Makes a call with a wrong signature, and asks for its explanation until there is one.
 *
 * @returns how long after the refusal that was, in milliseconds.
 * @throws when the call is not refused, or is not explained in time.
 */
export async function timeExplanation(port: number, sender: Sender, { base, accessToken }: Console): Promise<number> {
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
    const answer = await fetch(`${base}/apps/${sender.appId}/requests/${reqNo}`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    const explanation = (await answer.json()) as { check?: string };
    const elapsedMs = performance.now() - refusedMs;
    if (answer.status === 200 && explanation.check === "signature") return elapsedMs;
    if (elapsedMs > GIVEN_UP_MS) throw new Error(`${reqNo} was not explained: ${JSON.stringify(explanation)}`);
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS));
  }
}
