import { randomUUID } from "node:crypto";
import { signRequest } from "@portico/protocol/signature";
import type { Site } from "./scenario.ts";
import { DESK } from "./world.ts";

/** Has the customer service make somebody a visitor; the token that their widget calls with. */
export async function visitorToken({ port }: Site, thirdUserId: string): Promise<string> {
  const path = "/api/open/v1/visitor/auth";
  const body = JSON.stringify({ thirdUserId });
  const parts = { method: "POST", path, rawQuery: "", nonce: randomUUID(), timestamp: Date.now(), body };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { ...signRequest({ ...DESK, ...parts }).headers, "Content-Type": "application/json" },
    body,
  });
  const { value } = (await answer.json()) as { value: { visitorToken: string } };
  return value.visitorToken;
}
