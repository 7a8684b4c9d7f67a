import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";

/**
 * Lets go of the request that became this WebSocket, and of its response, which would otherwise stay in memory for as
 * long as the connection does: with the bytes of the handshake some 5 KB, twice as much as the connection itself. Whoever
 * reads the WebSocket listens to its errors from now on.
 */
export function letGoOfRequest(webSocket: WebSocket, socket: Socket, response: ServerResponse): void {
  // The response will never be sent, so nobody waits for its end.
  if (response.socket === socket) response.detachSocket(socket);
  // The plugin's listener knows both.
  webSocket.removeAllListeners("error");
}
