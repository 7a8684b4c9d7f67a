import type { EventType } from "./events.ts";

/*
 * Socket mode: events over a WebSocket that the application opens (docs/contract/socket.md). The frames are JSON texts.
 */

/** The path of the stream; its handshake is a signed GET. */
export const SOCKET_PATH = "/api/open/v2/events/stream";

/** The ways by which the events of a subscription reach the application. */
export const TRANSPORTS = ["WEBHOOK", "SOCKET"] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** The limits of socket mode. */
export const SOCKET_LIMITS = {
  /** Connections of an application at all processes together. */
  connectionsPerApp: 10,
  /** Events of a connection that are neither acknowledged nor refused. */
  unacknowledged: 100,
  frameBytes: 64 * 1024,
  /** Frames in a minute that are answered with an error; the last of them closes the connection. */
  errorsPerMinute: 10,
  /** Connections of an event that end in a row before it counts as failed. */
  endsInARow: 3,
  /** Events of a connection that are not answered in time in a row, without an answer between, before it counts as stalled. */
  timeoutsInARow: 3,
  /** How long acknowledgements still count after a goodbye, in milliseconds. */
  goodbyeMs: 5_000,
} as const;

/** The first frame. */
export interface SocketHello {
  type: "hello";
  connectionId: string;
  appId: string;
  /** What is subscribed by socket, or what the connection takes. */
  eventTypes: EventType[];
  /** How often the service pings; a client that hears nothing for twice as long has lost the connection. */
  heartbeatMs: number;
  /** An event that is neither acknowledged nor refused within this time is a failed attempt. */
  ackTimeoutMs: number;
}

/** An event. */
export interface SocketEvent {
  type: "event";
  /** Of this frame: another attempt has another one. */
  deliveryId: string;
  eventId: string;
  eventType: EventType;
  /** When the frame was sent, in epoch milliseconds. */
  timestamp: number;
  /** From 1. */
  attempt: number;
  /** The text that a webhook would get as its body. */
  body: string;
}

/** The answer to a frame that is no JSON object of a known type. */
export interface SocketError {
  type: "error";
  message: string;
}

/** Why the service ends a connection, each with its close code. After `restart` and `stalled` it is worth to connect again. */
export const GOODBYE_CLOSES = {
  restart: { code: 1012, reason: "restart" },
  credential: { code: 4401, reason: "credential" },
  disabled: { code: 4403, reason: "disabled" },
  stalled: { code: 1008, reason: "stalled" },
} as const;
export type GoodbyeReason = keyof typeof GOODBYE_CLOSES;

/** The service is about to close the connection and sends no more events; acknowledgements still count. */
export interface SocketGoodbye {
  type: "goodbye";
  reason: GoodbyeReason;
}

/** Close codes of a connection whose client does not keep to the protocol. Larger frames: 1009. */
export const SOCKET_CLOSES = {
  BINARY: { code: 1003, reason: "frames are texts" },
  TOO_MANY_ERRORS: { code: 1008, reason: "too many errors" },
} as const;

/** The event was dealt with. */
export interface SocketAck {
  type: "ack";
  deliveryId: string;
}

/** The event was not dealt with: it is tried again by the schedule, unless `retry` is false. */
export interface SocketNack {
  type: "nack";
  deliveryId: string;
  reason?: string;
  retry?: boolean;
}

/** A frame from the service. */
export type SocketServerFrame = SocketHello | SocketEvent | SocketError | SocketGoodbye;

/** A frame from the application. */
export type SocketClientFrame = SocketAck | SocketNack;

/** Parses a frame of the application. @returns the frame, or what is wrong with it, in words. */
export function readSocketClientFrame(text: string): SocketClientFrame | string {
  const frame = parse(text);
  if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return "a frame is a JSON object";
  const { type, deliveryId, reason, retry }: Readonly<Record<string, unknown>> = { ...frame };
  if (type !== "ack" && type !== "nack") return 'the type of a frame is "ack" or "nack"';
  if (typeof deliveryId !== "string") return `the deliveryId of "${type}" is a string`;
  if (type === "ack") return { type, deliveryId };
  if (reason !== undefined && reason !== null && typeof reason !== "string") return 'the reason of "nack" is a string';
  if (retry !== undefined && typeof retry !== "boolean") return 'the retry of "nack" is true or false';
  return { type, deliveryId, ...(typeof reason === "string" && { reason }), ...(retry !== undefined && { retry }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
