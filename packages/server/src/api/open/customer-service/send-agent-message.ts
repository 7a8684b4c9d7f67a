import { AgentMessageBodySchema, SentCustomerMessageSchema } from "@portico/protocol/schemas";
import { knownAgent } from "../../../domain/customer-service/known.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { looksForDesk, send, sendLane } from "./send.ts";

/** POST /api/open/v1/agent/message/send: what an agent says to a visitor. */
export const sendAgentMessage: OpenRoute<
  typeof AgentMessageBodySchema,
  never,
  typeof SentCustomerMessageSchema,
  boolean
> = {
  method: "POST",
  url: "/api/open/v1/agent/message/send",
  summary: "Send an agent's message",
  scope: "customer.message.send",
  stores: true,
  body: AgentMessageBodySchema,
  value: SentCustomerMessageSchema,
  arrive: (call, ctx) => looksForDesk(call, ctx, "AGENT"),
  lane: sendLane,
  handle: (ctx, tx, call) =>
    send(ctx, tx, call, "AGENT", async () => {
      const { userId } = await knownAgent(tx, call.app.appId, call.body.agentId);
      return { type: "AGENT", userId };
    }),
};
