import { SentCustomerMessageSchema, VisitorMessageBodySchema } from "@portico/protocol/schemas";
import type { OpenRoute } from "../gate/open-route.ts";
import { looksForDesk, send, sendLane } from "./send.ts";

/** POST /api/open/v1/message/send: what a visitor says. */
export const sendMessage: OpenRoute<typeof VisitorMessageBodySchema, never, typeof SentCustomerMessageSchema, boolean> =
  {
    method: "POST",
    url: "/api/open/v1/message/send",
    summary: "Send a visitor's message",
    scope: "customer.message.send",
    stores: true,
    body: VisitorMessageBodySchema,
    value: SentCustomerMessageSchema,
    arrive: (call, ctx) => looksForDesk(call, ctx, "VISITOR"),
    lane: sendLane,
    handle: (ctx, tx, call) => send(ctx, tx, call, "VISITOR", async () => ({ type: "VISITOR" })),
  };
