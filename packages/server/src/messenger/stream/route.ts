import websocket from "@fastify/websocket";
import { ApiError } from "@portico/protocol";
import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { bearerToken } from "../../http/bearer-token.ts";
import { signedInMember } from "../session.ts";
import { Connections, type SignedIn } from "./connections.ts";

/** Where members' streams are. */
export const STREAM_PATH = "/api/client/v1/stream";

/** Enough for the last places of a thousand conversations. */
const MAX_FRAME_BYTES = 64 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** The stream of a member who signed in by header: it watches before the connection is open. */
    stream: SignedIn | null;
  }
}

/**
 * GET /api/client/v1/stream, a WebSocket (design, section 10). A client shows its token in the header, or, from a
 * browser, in its first frame; that one is answered with `{type: "ready"}`.
 */
export function streamRoute(ctx: Context) {
  const connections = new Connections(ctx);
  return async (server: FastifyInstance) => {
    server.decorateRequest("stream", null);
    await server.register(websocket, {
      options: { maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false },
      errorHandler: (_error, socket) => socket.terminate(),
      preClose: (done) => {
        connections.close();
        // What is still on its way to be a WebSocket is refused with 503, and nothing new comes.
        server.server.removeAllListeners("upgrade");
        server.websocketServer.close();
        done();
      },
    });
    server.addHook("preValidation", async (request) => {
      if (!request.ws) throw new ApiError("INVALID_REQUEST", "该接口需要WebSocket连接");
      if (request.headers.authorization === undefined) return;
      const member = await signedInMember(ctx, request);
      const session = await connections.begin(member, request.raw.socket);
      request.stream = { session, accessToken: bearerToken(request) };
    });
    server.get(STREAM_PATH, { websocket: true }, (socket, request) => {
      connections.open(socket, request.raw.socket, request.stream);
    });
  };
}
