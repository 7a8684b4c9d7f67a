import websocket from "@fastify/websocket";
import { ApiError, STREAM_CLOSES } from "@portico/protocol";
import type { FastifyInstance } from "fastify";
import { MEMBER_STREAM_PATH, memberStreams } from "../api/client/stream/member-streams.ts";
import { AGENT_STREAM_PATH, agentStreams } from "../api/desk/stream/agent-streams.ts";
import { VISITOR_STREAM_PATH, visitorStreams } from "../api/widget/stream/visitor-streams.ts";
import { Connections } from "../platform/streams/connections.ts";
import { StreamPlaces } from "../platform/streams/stream-places.ts";
import type { Context } from "./context.ts";

/** Where streams are. */
export const STREAM_PATHS: ReadonlySet<string> = new Set([MEMBER_STREAM_PATH, AGENT_STREAM_PATH, VISITOR_STREAM_PATH]);

/** The percentage of a process's connections that may be streams; the others are reserved for calls. */
const STREAMS_PERCENT = 75;
/** And so many, of each of the three kinds, connections that are to be streams and have not said whose. */
const SILENT_PERCENT = 7;
const MOST_SILENT = 1_000;
/** The most chunks in which a frame may arrive; incomplete frames are buffered chunk by chunk. */
const MAX_PIECES = 1_024;
/** The most WebSocket fragments of a message (RFC 6455, section 5.4). */
const MAX_FRAGMENTS = 128;

/** Enough for the last places of a thousand conversations. */
const MAX_FRAME_BYTES = 64 * 1024;

/**
 * The WebSockets (docs/contract/streams.md). A client shows its token in the header, or, from a browser, in its first
 * frame; that one is answered with `{type: "ready"}`.
 */
export function streamRoutes(ctx: Context) {
  const ofConnections = (percent: number) => Math.floor((ctx.config.limits.connections * percent) / 100);
  const parts = {
    clock: ctx.clock,
    log: ctx.log,
    turns: ctx.turns,
    places: new StreamPlaces(ofConnections(STREAMS_PERCENT)),
    mostSilent: Math.min(MOST_SILENT, Math.max(1, ofConnections(SILENT_PERCENT))),
  };
  const kinds = [
    new Connections(memberStreams(ctx), parts),
    new Connections(agentStreams(ctx), parts),
    new Connections(visitorStreams(ctx), parts),
  ];
  ctx.retirement.onBegin(() => {
    for (const connections of kinds) connections.close(STREAM_CLOSES.REPLACED);
  });
  return async (server: FastifyInstance) => {
    await server.register(websocket, {
      options: {
        maxPayload: MAX_FRAME_BYTES,
        maxBufferedChunks: MAX_PIECES,
        maxFragments: MAX_FRAGMENTS,
        perMessageDeflate: false,
        // Answered by ClientSocket, within its bounds.
        autoPong: false,
      },
      errorHandler: (_error, socket) => socket.terminate(),
      preClose: (done) => {
        for (const connections of kinds) connections.close(STREAM_CLOSES.STOPPING);
        // What is still on its way to be a WebSocket is refused with 503, and nothing new comes.
        server.server.removeAllListeners("upgrade");
        server.websocketServer.close();
        done();
      },
    });
    for (const connections of kinds) {
      const preValidation = async (request: Parameters<typeof connections.admit>[0]) => {
        if (!request.ws) throw new ApiError("WEBSOCKET_REQUIRED");
        await connections.admit(request);
      };
      server.get(connections.path, { websocket: true, preValidation }, (socket, request) => {
        connections.open(socket, request);
      });
    }
  };
}
