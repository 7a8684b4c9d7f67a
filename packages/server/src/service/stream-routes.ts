import websocket from "@fastify/websocket";
import { ApiError, STREAM_CLOSES } from "@portico/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { memberStreams } from "../api/client/stream/member-streams.ts";
import { agentStreams } from "../api/desk/stream/agent-streams.ts";
import { eventStream } from "../api/open/events/event-stream.ts";
import { visitorStreams } from "../api/widget/stream/visitor-streams.ts";
import { Connections } from "../platform/streams/connections.ts";
import { StreamSlots } from "../platform/streams/stream-slots.ts";
import type { Context } from "./context.ts";

/** The percentage of a process's connections that may be streams; the others are reserved for calls. */
const STREAMS_PERCENT = 75;
/** The percentage of connections, for each of the three kinds, that may be unidentified streams. */
const SILENT_PERCENT = 7;
const MOST_SILENT = 1_000;
/** The most chunks in which a frame may arrive; incomplete frames are buffered chunk by chunk. */
const MAX_PIECES = 1_024;
/** The most WebSocket fragments of a message (RFC 6455, section 5.4). */
const MAX_FRAGMENTS = 128;

/** Enough for the last places in a thousand conversations. */
const MAX_FRAME_BYTES = 64 * 1024;

/**
 * Registers the WebSocket routes (docs/contract/streams.md). A client sends its token in the header or, from a browser,
 * in its first frame, which is answered with `{type: "ready"}`.
 */
export function streamRoutes(ctx: Context) {
  const ofConnections = (percent: number) => Math.floor((ctx.config.limits.connections * percent) / 100);
  const parts = {
    clock: ctx.clock,
    log: ctx.log,
    turns: ctx.turns,
    slots: new StreamSlots(ofConnections(STREAMS_PERCENT)),
    mostSilent: Math.min(MOST_SILENT, Math.max(1, ofConnections(SILENT_PERCENT))),
  };
  const kinds = [
    new Connections(memberStreams(ctx), parts),
    new Connections(agentStreams(ctx), parts),
    new Connections(visitorStreams(ctx), parts),
  ] as const;
  const [members, agents, visitors] = kinds;
  ctx.metrics.addGauges(
    "portico_streams",
    "Open streams (WebSockets) by kind: member, agent, visitor or app",
    ["kind"],
    () => [
      [{ kind: "member" }, members.count],
      [{ kind: "agent" }, agents.count],
      [{ kind: "visitor" }, visitors.count],
      [{ kind: "app" }, ctx.webhooks.sockets.count],
    ],
  );
  ctx.retirement.onBegin(() => {
    for (const connections of kinds) void connections.close(STREAM_CLOSES.REPLACED);
    void ctx.webhooks.sockets.close();
  });
  return async (server: FastifyInstance) => {
    await server.register(websocket, {
      options: {
        maxPayload: MAX_FRAME_BYTES,
        maxBufferedChunks: MAX_PIECES,
        maxFragments: MAX_FRAGMENTS,
        perMessageDeflate: false,
        // ClientSocket sends the pongs, within its limits.
        autoPong: false,
      },
      errorHandler: (_error, socket) => socket.terminate(),
      preClose: (done) => {
        const closing = kinds.map((connections) => connections.close(STREAM_CLOSES.STOPPING));
        // Pending upgrades are refused with 503, and no new ones are accepted.
        server.server.removeAllListeners("upgrade");
        server.websocketServer.close();
        // Until then, what was sent by socket can be acknowledged.
        void Promise.allSettled([...closing, ctx.webhooks.sockets.close()]).finally(done);
      },
    });
    for (const connections of kinds) {
      const preValidation = async (request: FastifyRequest, reply: FastifyReply) => {
        if (!request.ws) throw new ApiError("WEBSOCKET_REQUIRED");
        await connections.admit(request, reply);
      };
      server.get(connections.path, { websocket: true, preValidation }, (socket, request) => {
        connections.open(socket, request);
      });
    }
    await server.register(eventStream(ctx, parts.slots));
  };
}
