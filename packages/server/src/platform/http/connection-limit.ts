import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { addressBlock } from "./client-address.ts";

/** The system accepts this many connections beyond the limit, so that the process can choose which one to close. */
const HEADROOM = 64;
const CHECK_EVERY_MS = 5_000;
/** The most bytes of the heads of requests that have not arrived completely; each has at most 16 KiB. */
const UNFINISHED_HEADS_BYTES = 8 * 1024 * 1024;
/** Fewer connections cannot have more. */
const MANY_CONNECTIONS = UNFINISHED_HEADS_BYTES / (16 * 1024);
const CHECK_HEADS_EVERY_MS = 100;
/** Shorter ones are left alone. */
const LONG_HEAD_BYTES = 1024;
/**
 * The time in which pending bytes of an answer must be read. Large answers are sent in pieces, each with its own time.
 */
const READ_WITHIN_MS = 30_000;

/** A connection and its state. */
interface Connection {
  /** The one that its requests have: after a TLS handshake another than the one that was accepted. */
  socket: Socket;
  /** The connections from the same address, in the order of their last activity. */
  readonly peers: Set<Connection>;
  /** The latest request, until it is answered. */
  request: IncomingMessage | null;
  response: ServerResponse | null;
  /** The number of bytes read that belong to answered requests; more of an idle one are the beginning of a head. */
  readBefore: number;
  /** An answered request whose body is still arriving. */
  arriving: IncomingMessage | null;
  /** Whether it has become a stream. */
  isStream: boolean;
  /** `performance.now()` since which the client has read nothing more of an answer; null when nothing is pending. */
  unreadSince: number | null;
  /** The number of bytes sent by then. */
  writtenThen: number;
}

/**
 * Limits the connections of this process. When there is one too many, one of the address with the most connections is
 * closed: the one idle for longest, or otherwise one with an incomplete request. So idle and slow connections cannot
 * keep others out, and a load balancer, which has all connections, loses only idle ones. When the heads of unfinished
 * requests take too much memory, connections with long ones are closed, the oldest first.
 */
export class ConnectionLimit {
  readonly #most: number;
  /** Connections by peer address. */
  readonly #byAddress = new Map<string, Set<Connection>>();
  readonly #connections = new WeakMap<Socket, Connection>();
  /** The connections whose TLS handshake is not complete, by {@link peerOf}. */
  readonly #shakingHands = new Map<string, Connection>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of connections. */
  get count(): number {
    return this.#count;
  }

  /** The number of connections that are no streams. */
  get ofCalls(): number {
    let calls = 0;
    for (const connections of this.#byAddress.values()) {
      for (const { isStream } of connections) if (!isStream) calls++;
    }
    return calls;
  }

  /** Limits the connections of `server` while it listens. */
  watch(server: Server): void {
    server.maxConnections = this.#most + HEADROOM;
    server.on("connection", (socket) => this.#add(socket));
    if (server instanceof HttpsServer) {
      server.on("connection", (socket: Socket) => this.#await(socket));
      server.on("secureConnection", (socket) => this.#secure(socket));
    }
    server.on("request", (request, response) => this.#begin(request, response));
    server.on("upgrade", ({ socket }) => {
      const connection = this.#connections.get(socket);
      if (connection !== undefined) connection.isStream = true;
    });
    const timer = setInterval(() => this.closeStalled(performance.now()), CHECK_EVERY_MS);
    timer.unref();
    const headTimer = setInterval(() => this.#limitHeads(), CHECK_HEADS_EVERY_MS);
    headTimer.unref();
    server.once("close", () => {
      clearInterval(timer);
      clearInterval(headTimer);
    });
  }

  /** Closes connections whose client has stopped reading an answer, as of `now` (monotonic milliseconds). */
  closeStalled(now: number): void {
    for (const connections of this.#byAddress.values()) {
      for (const connection of connections) {
        const { socket, isStream, unreadSince, writtenThen } = connection;
        if (isStream || socket.writableLength === 0) {
          connection.unreadSince = null;
        } else if (unreadSince === null || socket.bytesWritten !== writtenThen) {
          Object.assign(connection, { unreadSince: now, writtenThen: socket.bytesWritten });
        } else if (now - unreadSince >= READ_WITHIN_MS) {
          socket.destroy();
        }
      }
    }
  }

  #limitHeads(): void {
    if (this.#count <= MANY_CONNECTIONS) return;
    const long: { socket: Socket; bytes: number }[] = [];
    let total = 0;
    for (const connections of this.#byAddress.values()) {
      for (const connection of connections) {
        const { arriving } = connection;
        if (arriving?.complete) {
          connection.arriving = null;
          this.#countRead(connection, arriving);
        }
        const bytes = headBytes(connection);
        if (bytes < LONG_HEAD_BYTES) continue;
        total += bytes;
        long.push({ socket: connection.socket, bytes });
      }
    }
    for (const { socket, bytes } of long) {
      if (total <= UNFINISHED_HEADS_BYTES) return;
      socket.destroy();
      total -= bytes;
    }
  }

  #add(socket: Socket): void {
    const address = addressBlock(socket.remoteAddress ?? "");
    const peers = this.#byAddress.get(address) ?? new Set();
    const nothing = { request: null, response: null, arriving: null, isStream: false, unreadSince: null };
    const connection: Connection = { socket, peers, ...nothing, writtenThen: 0, readBefore: 0 };
    this.#byAddress.set(address, peers.add(connection));
    this.#connections.set(socket, connection);
    this.#count++;
    if (this.#count > this.#most) this.#makeRoom(connection);
    // Not once(), whose wrapper takes as much memory as the listener.
    socket.on("close", () => {
      this.#remove(connection);
      if (peers.size === 0 && this.#byAddress.get(address) === peers) this.#byAddress.delete(address);
    });
  }

  #await(socket: Socket): void {
    const connection = this.#connections.get(socket);
    const peer = peerOf(socket);
    if (connection === undefined) return;
    this.#shakingHands.set(peer, connection);
    socket.on("close", () => {
      if (this.#shakingHands.get(peer) === connection) this.#shakingHands.delete(peer);
    });
  }

  /** A handshake is complete: from now on its connection's socket is this one. */
  #secure(socket: TLSSocket): void {
    const connection = this.#shakingHands.get(peerOf(socket));
    if (connection === undefined) return;
    this.#shakingHands.delete(peerOf(socket));
    connection.socket = socket;
    this.#connections.set(socket, connection);
  }

  #remove(connection: Connection): void {
    if (connection.peers.delete(connection)) this.#count--;
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    connection.request = request;
    connection.response = response;
  }

  /** Call it when a response has been sent completely. A response that is aborted closes its connection. */
  answered(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection?.response !== response) return;
    connection.request = null;
    connection.response = null;
    if (request.complete) this.#countRead(connection, request);
    else connection.arriving = request;
    const { peers } = connection;
    if (peers.delete(connection)) peers.add(connection);
  }

  /** Counts what has been read as that of `request`, except what may be the beginning of the next head. */
  #countRead(connection: Connection, request: IncomingMessage): void {
    const { bytesRead } = connection.socket;
    // It is measured only where it matters: the lengths of its fields have to be added up.
    const extra = this.#count > MANY_CONNECTIONS ? bytesRead - connection.readBefore - leastLengthOf(request) : 0;
    connection.readBefore = bytesRead - (extra < LONG_HEAD_BYTES ? 0 : extra);
  }

  #makeRoom(newcomer: Connection): void {
    const going = this.#heaviest((one) => one !== newcomer && isIdle(one)) ?? this.#heaviest(isUnfinished) ?? newcomer;
    this.#remove(going);
    going.socket.destroy();
  }

  /** The first connection with this property, from the address with the most connections among those that have one. */
  #heaviest(isIt: (connection: Connection) => boolean): Connection | null {
    let found: Connection | null = null;
    for (const peers of this.#byAddress.values()) {
      if (peers.size > (found?.peers.size ?? 0)) found = firstOf(peers, isIt) ?? found;
    }
    return found;
  }
}

/** The address and port of the other end, the same for a socket and for the one that TLS makes of it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** The bytes of a head that is incomplete. */
function headBytes(connection: Connection): number {
  const isBetween = isIdle(connection) && connection.arriving === null;
  return isBetween ? connection.socket.bytesRead - connection.readBefore : 0;
}

/** The length of a request in bytes, without optional spaces in its head; endless if it is not known. */
function leastLengthOf({ method = "", url = "", headers, rawHeaders }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  const fields = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  return method.length + url.length + fields + Number(headers["content-length"] ?? 0);
}

function isIdle({ isStream, request }: Connection): boolean {
  return !isStream && request === null;
}

/** Whether a request has begun and has not arrived completely. */
function isUnfinished({ isStream, request }: Connection): boolean {
  return !isStream && request?.complete === false;
}

function firstOf(connections: Iterable<Connection>, isIt: (connection: Connection) => boolean): Connection | null {
  for (const connection of connections) if (isIt(connection)) return connection;
  return null;
}
