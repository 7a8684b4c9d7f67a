import { Type } from "typebox";
import { plainText } from "../../schemas/plain-text.ts";
import { SOCKET_PATH } from "../../socket.ts";
import type { OpenEndpoint } from "./access.ts";

/**
 * The handshake of socket mode (docs/contract/socket.md): a signed call whose answer is a WebSocket, so it is not among
 * the calls.
 */
export const EVENT_STREAM = {
  method: "GET",
  path: SOCKET_PATH,
  summary: "Open a WebSocket for the events that are subscribed by socket",
  access: { scope: null },
  query: Type.Object({ take: Type.Optional(plainText({ minLength: 1 })) }),
  value: Type.Null(),
  errors: ["WEBSOCKET_REQUIRED", "TAKE_REFUSED", "STREAMS_TOO_MANY"],
} as const satisfies OpenEndpoint;
