import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { OpenRoute } from "../gate/open-route.ts";
import type { SessionMessageParts } from "../parts.ts";
import { looksForDesk, send, sendLane } from "./send.ts";

/** POST /api/open/v1/message/send: a message from a visitor. */
export const sendVisitorMessage: OpenRoute<typeof OPEN_ENDPOINTS.sendVisitorMessage, SessionMessageParts, boolean> = {
  endpoint: OPEN_ENDPOINTS.sendVisitorMessage,
  stores: true,
  preload: (call, ctx) => looksForDesk(call, ctx, "VISITOR"),
  lane: sendLane,
  handle: (ctx, tx, call) => send(ctx, tx, call, "VISITOR", async () => ({ type: "VISITOR" })),
};
