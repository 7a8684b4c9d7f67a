import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { signedHeaders } from "./callers.ts";
import type { Site } from "./scenario.ts";
import { DESK } from "./world.ts";

/** Registers a visitor with the customer service; returns the token for the visitor's widget. */
export async function visitorToken({ port }: Site, thirdUserId: string): Promise<string> {
  const { method, path } = OPEN_ENDPOINTS.authVisitor;
  const body = JSON.stringify({ thirdUserId });
  const headers = signedHeaders(DESK, method, path, body);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  const { value } = (await answer.json()) as { value: { visitorToken: string } };
  return value.visitorToken;
}
