import { randomUUID } from "node:crypto";
import { ApiRefusedError, TransportError } from "@portico/protocol/client/errors";
import { readEnvelope } from "@portico/protocol/client/exchange";
import { signRequest } from "@portico/protocol/signature";
import { SOCKET_PATH } from "@portico/protocol/socket";
import { WebSocket } from "ws";
import type { SocketAddress } from "./socket-address.ts";

/** The largest frame that is taken, in bytes: an event's body is 1 MiB at most. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Begins a connection whose handshake is signed. */
export function openSocket({ origin, take = [], timeoutMs, clock, ...identity }: SocketAddress): WebSocket {
  const url = new URL(SOCKET_PATH, origin.replace(/^http/, "ws"));
  if (take.length > 0) url.search = `take=${take.map(encodeURIComponent).join(",")}`;
  const { headers } = signRequest({
    method: "GET",
    path: url.pathname,
    rawQuery: url.search.slice(1),
    ...identity,
    timestamp: clock(),
    nonce: randomUUID(),
    body: "",
  });
  return new WebSocket(url, {
    headers,
    handshakeTimeout: timeoutMs,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  });
}

/**
 * Resolves when the connection is open.
 *
 * @throws ApiRefusedError when the service refuses it, TransportError when there is none or no valid answer.
 */
export function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown, httpStatus?: number) => {
      const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
      reject(new TransportError(`${socket.url}: ${reason}`, { cause, httpStatus }));
    };
    socket.once("open", resolve);
    socket.once("error", failed);
    socket.once("unexpected-response", (_request, response) => {
      const httpStatus = response.statusCode ?? 0;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > MAX_REFUSAL_BYTES) response.destroy(new Error("the refusal is too long"));
      });
      response.once("error", (cause) => failed(cause, httpStatus));
      response.once("end", () => {
        try {
          const retryAfter = Number(response.headers["retry-after"]);
          const retryAfterSeconds = Number.isInteger(retryAfter) ? retryAfter : undefined;
          reject(new ApiRefusedError({ ...readEnvelope(text, httpStatus), httpStatus, retryAfterSeconds }));
        } catch (cause) {
          failed(cause, httpStatus);
        }
        socket.terminate();
      });
    });
  });
}
