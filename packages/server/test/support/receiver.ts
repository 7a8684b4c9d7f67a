import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { isIPv6, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { TLSSocket } from "node:tls";
import type { Lookup } from "../../src/domain/webhooks/attempts/lookups.ts";
import { CERTIFICATES, TEST_KEY } from "./certificates.ts";

/** A request as a receiver got it. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent. */
  rawHeaders: string[];
  body: Buffer;
  /** The address that the connection was made to. */
  localAddress: string;
  /** The host that the TLS handshake asked for (SNI); null when for none. */
  servername: string | null;
  remotePort: number;
  /** Which of the receiver's connections it came over, counted from 1. */
  connection: number;
}

/** What a receiver does about a request that it has read whole. */
export type Respond = (received: Received, response: ServerResponse) => void | Promise<void>;

/** A webhook receiver that does what it is told, on a free port. */
export interface Receiver {
  port: number;
  /** May be replaced at any time. */
  respond: Respond;
  requests: Received[];
  /** Connections that completed the TLS handshake: all so far, those open now, and the most that were open at a time. */
  connections: { total: number; open: number; most: number };
  /** The address of `path`, with the host that the good certificate is for unless another is given. */
  url(path?: string, host?: string): string;
  /** Resets the connection that a request came over. */
  reset(received: Received): void;
  /** Closes every connection, as a receiver does that restarts. */
  closeConnections(): void;
  stop(): Promise<void>;
}

export interface ReceiverOptions {
  respond?: Respond;
  certificate?: keyof typeof CERTIFICATES;
  /** The address to listen on. */
  host?: string;
  /** After which it closes an idle connection. */
  keepAliveTimeoutMs?: number;
  /** Whether it tells of that in its answers. */
  keepAliveHeader?: boolean;
}

/** Starts a receiver; it answers with 200 and no body unless told otherwise. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { certificate = "good", host = "127.0.0.1", keepAliveTimeoutMs = 60_000, keepAliveHeader = false } = options;
  const sockets = new Map<Socket, number>();
  /** What lies under the TLS sockets, by the other side's port. */
  const tcpSockets = new Map<number, Socket>();
  const connections = { total: 0, open: 0, most: 0 };
  const server = createServer(
    { cert: CERTIFICATES[certificate], key: TEST_KEY, keepAliveTimeout: keepAliveTimeoutMs },
    async (request, response) => {
      if (!keepAliveHeader) response.setHeader("connection", "keep-alive");
      const { method = "", url: path = "", headers, rawHeaders, socket } = request;
      const body = await buffer(request).catch(() => null);
      if (body === null) return;
      const { localAddress = "", remotePort = 0 } = socket;
      const connection = sockets.get(socket) ?? 0;
      const servername = socket instanceof TLSSocket && socket.servername ? socket.servername : null;
      const received = { method, path, headers, rawHeaders, body, localAddress, servername, remotePort, connection };
      receiver.requests.push(received);
      await receiver.respond(received, response);
    },
  );
  server.on("connection", (socket: Socket) => {
    const { remotePort = 0 } = socket;
    tcpSockets.set(remotePort, socket);
    socket.on("close", () => tcpSockets.delete(remotePort));
  });
  server.on("secureConnection", (socket: Socket) => {
    connections.total++;
    connections.open++;
    connections.most = Math.max(connections.most, connections.open);
    sockets.set(socket, connections.total);
    socket.on("error", () => {});
    socket.on("close", () => {
      connections.open--;
      sockets.delete(socket);
    });
  });
  server.listen(0, host);
  await once(server, "listening");
  const port = portOf(server);
  const receiver: Receiver = {
    port,
    respond: options.respond ?? ((_received, response) => void response.end()),
    requests: [],
    connections,
    url: (path = "/hook", name = "receiver.test") => `https://${isIPv6(name) ? `[${name}]` : name}:${port}${path}`,
    reset: ({ remotePort }) => void tcpSockets.get(remotePort)?.resetAndDestroy(),
    closeConnections: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      for (const socket of sockets.keys()) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

/** The port that a server was given. */
export function portOf(server: { address(): unknown }): number {
  const address = server.address();
  if (typeof address !== "object" || address === null || !("port" in address) || typeof address.port !== "number") {
    throw new Error("the server is not listening");
  }
  return address.port;
}

/** The socket under a response, for answers that no HTTP server would give. */
export function socketOf(response: ServerResponse): Socket {
  if (response.socket === null) throw new Error("the connection is gone");
  return response.socket;
}

/** A resolver that knows these names and counts how often it was asked. */
export function resolverOf(names: Record<string, string[]>): Lookup & { asked: string[] } {
  const asked: string[] = [];
  const lookup = async (hostname: string) => {
    asked.push(hostname);
    const addresses = names[hostname];
    if (addresses === undefined) throw Object.assign(new Error(`${hostname} is unknown`), { code: "ENOTFOUND" });
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  };
  return Object.assign(lookup, { asked });
}
