import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import type { WebhookEvent, WebhookOptions } from "@portico/sdk";
import { NOW, SECRET } from "./webhook-delivery.ts";

/** Receiver options that record events and errors. */
export function recorder() {
  const events: WebhookEvent[] = [];
  const errors: unknown[] = [];
  const options = {
    secret: SECRET,
    clock: () => NOW,
    maxBodyBytes: 2_000,
    onEvent: (event: WebhookEvent) => events.push(event),
    onError: (error: unknown) => errors.push(error),
  } satisfies WebhookOptions;
  return { events, errors, options };
}

/** Starts a real HTTP server on loopback. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/webhook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Sends raw bytes to a server, ends the connection, and returns the answer. */
export async function sendRaw(port: number, ...pieces: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  for (const piece of pieces) socket.write(piece);
  socket.end();
  return await text(socket);
}

/** The head of a request to a webhook. */
export function rawHead(headers: Record<string, string>): string {
  const lines = Object.entries({ host: "receiver", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /webhook HTTP/1.1\r\n${lines.join("")}\r\n`;
}
