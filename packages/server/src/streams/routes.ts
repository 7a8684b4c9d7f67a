import websocket from "@fastify/websocket";
import { ApiError } from "@portico/protocol";
import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { AGENT_STREAM_PATH, agentStreams } from "../desk/agent-streams.ts";
import { VISITOR_STREAM_PATH, visitorStreams } from "../desk/visitor-streams.ts";
import { MEMBER_STREAM_PATH, memberStreams } from "../messenger/stream/member-streams.ts";
import { Connections } from "./connections.ts";

/** Where streams are. */
export const STREAM_PATHS: ReadonlySet<string> = new Set([MEMBER_STREAM_PATH, AGENT_STREAM_PATH, VISITOR_STREAM_PATH]);

/** Enough for the last places of a thousand conversations. */
const MAX_FRAME_BYTES = 64 * 1024;

/**
 * The WebSockets (design, sections 8 and 10). A client shows its token in the header, or, from a browser, in its first
 * frame; that one is answered with `{type: "ready"}`.
 */
export function streamRoutes(ctx: Context) {
  const kinds = [
    new Connections(memberStreams(ctx), ctx.log),
    new Connections(agentStreams(ctx), ctx.log),
    new Connections(visitorStreams(ctx), ctx.log),
  ];
  return async (server: FastifyInstance) => {
    await server.register(websocket, {
      options: { maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false },
      errorHandler: (_error, socket) => socket.terminate(),
      preClose: (done) => {
        for (const connections of kinds) connections.close();
        // What is still on its way to be a WebSocket is refused with 503, and nothing new comes.
        server.server.removeAllListeners("upgrade");
        server.websocketServer.close();
        done();
      },
    });
    for (const connections of kinds) {
      const preValidation = async (request: Parameters<typeof connections.admit>[0]) => {
        if (!request.ws) throw new ApiError("INVALID_REQUEST", "该接口需要WebSocket连接");
        await connections.admit(request);
      };
      server.get(connections.path, { websocket: true, preValidation }, (socket, request) => {
        connections.open(socket, request);
      });
    }
  };
}
