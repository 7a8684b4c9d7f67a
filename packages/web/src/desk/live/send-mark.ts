import { createApiClient } from "@portico/protocol/client";
import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { memberExchange } from "../../shared/session/member.ts";
import { readConversationId } from "./conversation.ts";
import { isRefusedForGood } from "./refused-for-good.ts";

/** Goes on when the page is left. */
const client = createApiClient(
  DESK_ENDPOINTS,
  memberExchange({ fetch: (input, init) => fetch(input, { ...init, keepalive: true }) }),
);

/** Tells the service how far the agent has read. @returns false where another try may help. */
export async function sendMark(conversationId: string, seq: number): Promise<boolean> {
  const params = readConversationId(conversationId);
  if (params === null) return true;
  try {
    await client.markRead({ params, body: { seq } });
    return true;
  } catch (error) {
    return isRefusedForGood(error);
  }
}
