import { ApiRefusedError, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { memberExchange } from "../../shared/session/member.ts";

/** Goes on when the page is left. */
const client = createApiClient(
  CLIENT_ENDPOINTS,
  memberExchange({ fetch: (input, init) => fetch(input, { ...init, keepalive: true }) }),
);

/** Tells the service how far the member has read. @returns false where another try may help. */
export async function sendMark(conversationId: string, seq: number): Promise<boolean> {
  try {
    await client.markRead({ params: { conversationId }, body: { seq } });
    return true;
  } catch (error) {
    const status = error instanceof ApiRefusedError ? error.httpStatus : 503;
    return status < 500 && status !== 429;
  }
}
