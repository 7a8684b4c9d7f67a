import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { requireAgent } from "../../../domain/customer-service/require.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import type { SessionMessageParts } from "../parts.ts";
import { looksForDesk, send, sendLane } from "./send.ts";

/** POST /api/open/v1/agent/message/send: a message from an agent to a visitor. */
export const sendAgentMessage: OpenRoute<typeof OPEN_ENDPOINTS.sendAgentMessage, SessionMessageParts, boolean> = {
  endpoint: OPEN_ENDPOINTS.sendAgentMessage,
  stores: true,
  preload: (call, ctx) => looksForDesk(call, ctx, "AGENT"),
  lane: sendLane,
  handle: (ctx, tx, call) =>
    send(ctx, tx, call, "AGENT", async () => {
      const { userId } = await requireAgent(tx, call.app.appId, call.body.agentId);
      return { type: "AGENT", userId };
    }),
};
