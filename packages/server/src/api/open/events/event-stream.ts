import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import {
  ApiError,
  EVENT_SCOPES,
  EVENT_TYPES,
  type EventType,
  fault,
  isEventType,
  SOCKET_CLOSES,
  SOCKET_LIMITS,
} from "@portico/protocol";
import { EVENT_STREAM } from "@portico/protocol/endpoints";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import type { App } from "../../../domain/applications/app-directory.ts";
import type { SocketConnection } from "../../../domain/webhooks/sockets/socket-connection.ts";
import type { Place } from "../../../domain/webhooks/sockets/socket-hub.ts";
import type { Config } from "../../../platform/config/config.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { checkGivenOnce } from "../../../platform/http/validate.ts";
import type { EventLoopTurns } from "../../../platform/limits/event-loop-turns.ts";
import { ClientSocket } from "../../../platform/streams/client-socket.ts";
import { FrameAllowance } from "../../../platform/streams/frame-allowance.ts";
import { letGoOfRequest } from "../../../platform/streams/let-go-of-request.ts";
import type { StreamSlots } from "../../../platform/streams/stream-slots.ts";
import type { EventParts } from "../../common/parts.ts";
import type { GateParts } from "../gate/gate-parts.ts";
import { gateOf, inputParser } from "../gate/gated-route.ts";
import { closeGate } from "../gate/open-api.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { checkScope, pass } from "../gate/pass.ts";
import { ClientFrames } from "./client-frames.ts";

/** An acknowledgement for every event at several thousand a second; a frame costs one, and one more per KiB. */
const FRAMES = { capacity: 6_000, perSecond: 3_000 };

/** To hold the connections of socket mode. */
export interface EventStreamParts extends GateParts, EventParts {
  turns: EventLoopTurns;
}

/** What the gate knows of the handshake. Its work comes after. */
const HANDSHAKE: OpenRoute<typeof EVENT_STREAM, EventStreamParts> = {
  endpoint: EVENT_STREAM,
  handle: async () => null,
};

/** A handshake that has been admitted. */
interface Admitted {
  place: Place;
  connection: SocketConnection | null;
}

/**
 * GET /api/open/v2/events/stream: a WebSocket for events, whose handshake passes the whole gate
 * (docs/contract/socket.md). Register it within the streams' routes.
 *
 * @param slots of which each connection takes one.
 */
export function eventStream(ctx: EventStreamParts, slots: StreamSlots) {
  const { endpoint } = HANDSHAKE;
  const gated = { ...gateOf(endpoint), route: HANDSHAKE, parse: inputParser(endpoint) };
  const admitted = new WeakMap<FastifyRequest, { one: Admitted; response: ServerResponse }>();
  const preValidation = async (request: FastifyRequest, reply: FastifyReply) => {
    const { authenticated } = request;
    await pass(ctx, gated, request, reply);
    if (request.trace.isLost) throw lost(request);
    if (!request.ws || authenticated === null) {
      throw new Refusal("WEBSOCKET_REQUIRED", { check: "connection", details: null });
    }
    const { app, credentialId } = authenticated;
    const takes = takesOf(request, app, ctx.config);
    const one = await admit(ctx, slots, request.raw.socket, { appId: app.appId, credentialId, takes });
    admitted.set(request, { one, response: reply.raw });
  };
  return async (server: FastifyInstance) => {
    closeGate(ctx, server);
    const config = { inRequestLog: true };
    const options = { websocket: true as const, preValidation, config };
    server.get(endpoint.path, options, (webSocket, request) => {
      const known = admitted.get(request);
      if (known === undefined) return;
      letGoOfRequest(webSocket, request.raw.socket, known.response);
      open(ctx, known.one, webSocket, request.raw.socket);
    });
  };
}

/** Ends the connection of a handshake whose answer is to be lost (docs/contract/console.md#rehearsing-faults). */
function lost({ raw }: FastifyRequest): Refusal {
  raw.socket.destroy();
  return new Refusal("INTERNAL", { check: "rehearsal", details: { fault: "CALL_ANSWER_LOST" } });
}

/**
 * The event types that the connection is to take.
 *
 * @throws ApiError 403 in production, or without a type's scope; 400 for an unknown type.
 */
function takesOf(request: FastifyRequest, app: App, { environment }: Config): EventType[] {
  checkGivenOnce(request.query, "take");
  const { take } = request.query as { take?: string };
  if (take === undefined || take === "") return [];
  if (environment === "production") {
    const details = { field: "take", pointer: null, problem: "other", expected: "none in production" } as const;
    throw new Refusal("TAKE_REFUSED", { check: "schema", details });
  }
  const types = [...new Set(take.split(","))].map((name) => {
    if (isEventType(name)) return name;
    const values = EVENT_TYPES.join(", ");
    const details = { field: "take", pointer: null, problem: "value", expected: `one of ${values}` } as const;
    throw new Refusal(fault("FIELD_VALUE_UNKNOWN", { field: "take", values }), { check: "schema", details });
  });
  for (const eventType of types) checkScope(app, EVENT_SCOPES[eventType]);
  return types;
}

/** Takes the connection's place, which is given back when the TCP connection ends before there is a WebSocket. */
async function admit(
  { webhooks }: EventStreamParts,
  slots: StreamSlots,
  socket: Socket,
  opener: { appId: string; credentialId: string; takes: EventType[] },
): Promise<Admitted> {
  const leaveSlot = slots.acquire();
  if (leaveSlot === null) throw new ApiError("STREAMS_TOO_MANY", { retryAfterSeconds: 1 });
  let place: Place;
  try {
    place = await webhooks.sockets.reserve(opener);
  } catch (error) {
    leaveSlot();
    throw error;
  }
  const one: Admitted = { place, connection: null };
  const leave = () => {
    leaveSlot();
    if (one.connection === null) void webhooks.sockets.cancel(place);
  };
  if (socket.destroyed) leave();
  else socket.once("close", leave);
  return one;
}

/** Says hello, and passes frames between the WebSocket and the engine. */
function open(ctx: EventStreamParts, one: Admitted, webSocket: WebSocket, raw: Socket): void {
  const { clock, config, turns, webhooks } = ctx;
  const { socketHeartbeatMs: heartbeatMs, readTimeoutMs: ackTimeoutMs } = config.webhook;
  const socket = new ClientSocket(webSocket, raw, new FrameAllowance(clock, FRAMES), turns);
  if (raw.destroyed) return;
  const { connectionId, appId, eventTypes } = one.place;
  const hello = { type: "hello", connectionId, appId, eventTypes, heartbeatMs, ackTimeoutMs };
  socket.send(JSON.stringify(hello));
  const connection = webhooks.sockets.add(one.place, socket);
  one.connection = connection;
  const heartbeat = setInterval(() => socket.beat(), heartbeatMs);
  heartbeat.unref();
  socket.onClose(() => {
    clearInterval(heartbeat);
    webhooks.sockets.closed(connection);
  });
  const frames = new ClientFrames(connection, {
    clock,
    onTooManyErrors: () => socket.close(SOCKET_CLOSES.TOO_MANY_ERRORS),
    errorsPerMinute: SOCKET_LIMITS.errorsPerMinute,
  });
  socket.read({
    take: async (text) => frames.take(text),
    takeBinary: () => void socket.finish(SOCKET_CLOSES.BINARY),
    settled: () => connection.allSettled(),
  });
  webhooks.due(appId);
}
