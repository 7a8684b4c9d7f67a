import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { isIPv6, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { TLSSocket } from "node:tls";
import type { Lookup } from "../../src/platform/network/lookups.ts";
import { CERTIFICATES, TEST_KEY } from "./certificates.ts";

/** A request as received. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values alternately, as sent. */
  rawHeaders: string[];
  body: Buffer;
  /** The address to which the connection was made. */
  localAddress: string;
  /** The host named in the TLS handshake (SNI); null when none was named. */
  servername: string | null;
  remotePort: number;
  /** The number of the connection at this receiver, from 1. */
  connection: number;
}

/** A receiver's reaction to a request that it has read completely. */
export type Respond = (received: Received, response: ServerResponse) => void | Promise<void>;

/** A webhook receiver with programmable behaviour, on a free port. */
export interface Receiver {
  port: number;
  /** Can be replaced at any time. */
  respond: Respond;
  requests: Received[];
  /** Connections that completed the TLS handshake: all so far, currently open, and the most open at the same time. */
  connections: { total: number; open: number; most: number };
  /** The URL of `path`; the default host is that of the valid certificate. */
  url(path?: string, host?: string): string;
  /** Resets the connection of a request. */
  reset(received: Received): void;
  /** Closes all connections, like a receiver that restarts. */
  closeConnections(): void;
  stop(): Promise<void>;
}

export interface ReceiverOptions {
  respond?: Respond;
  certificate?: keyof typeof CERTIFICATES;
  /** The address to listen on. */
  host?: string;
  /** Time after which an idle connection is closed. */
  keepAliveTimeoutMs?: number;
  /** Whether its answers announce that time. */
  keepAliveHeader?: boolean;
}

/** Starts a receiver; by default it answers 200 without a body. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { certificate = "good", host = "127.0.0.1", keepAliveTimeoutMs = 60_000, keepAliveHeader = false } = options;
  const sockets = new Map<Socket, number>();
  /** The TCP sockets under the TLS sockets, by the peer's port. */
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

/** The port of a server. */
export function portOf(server: { address(): unknown }): number {
  const address = server.address();
  if (typeof address !== "object" || address === null || !("port" in address) || typeof address.port !== "number") {
    throw new Error("the server is not listening");
  }
  return address.port;
}

/** The socket of a response, for answers that an HTTP server cannot send. */
export function socketOf(response: ServerResponse): Socket {
  if (response.socket === null) throw new Error("the connection is gone");
  return response.socket;
}

/** A resolver that knows these names and counts its calls. */
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
