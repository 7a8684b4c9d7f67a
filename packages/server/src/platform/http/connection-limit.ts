import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressBlock } from "./client-address.ts";

/** Beyond its own bound a process lets the system take this many more, so that it can choose who makes room. */
const HEADROOM = 64;
const LOOK_EVERY_MS = 5_000;
/** What waits to be taken is to be taken within this time; that of large answers goes over in pieces. */
const TAKEN_WITHIN_MS = 30_000;

/** One connection, and what goes on over it. */
interface Connection {
  readonly socket: Socket;
  /** Those from the same address, those over which something has happened last at the end. */
  readonly peers: Set<Connection>;
  /** The request that came last, until it is answered. */
  request: IncomingMessage | null;
  response: ServerResponse | null;
  /** Whether it is a stream by now. */
  isStream: boolean;
  /** `performance.now()` since when nothing more of an answer has been taken; null while none waits. */
  untakenSince: number | null;
  /** What had been written by then, in bytes. */
  writtenThen: number;
}

/**
 * Bounds the connections of this process. When there is one too many, the address that has most makes room: the one of its
 * connections goes over which nothing has happened for longest, or else one whose request has not arrived whole. So
 * connections that say nothing, or dawdle, keep nobody out, and a load balancer, which has all of them, loses idle ones only.
 */
export class ConnectionLimit {
  readonly #most: number;
  /** By the address at their other end. */
  readonly #byAddress = new Map<string, Set<Connection>>();
  readonly #connections = new WeakMap<Socket, Connection>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many connections there are. */
  get count(): number {
    return this.#count;
  }

  /** Bounds the connections of `server`, as long as it listens. */
  watch(server: Server): void {
    server.maxConnections = this.#most + HEADROOM;
    server.on("connection", (socket) => this.#add(socket));
    server.on("request", (request, response) => this.#begin(request, response));
    server.on("upgrade", ({ socket }) => {
      const connection = this.#connections.get(socket);
      if (connection !== undefined) connection.isStream = true;
    });
    const timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS);
    timer.unref();
    server.once("close", () => clearInterval(timer));
  }

  /** Closes connections whose client has stopped reading an answer, as of `now` (monotonic milliseconds). */
  look(now: number): void {
    for (const connections of this.#byAddress.values()) {
      for (const connection of connections) {
        const { socket, isStream, untakenSince, writtenThen } = connection;
        if (isStream || socket.writableLength === 0) {
          connection.untakenSince = null;
        } else if (untakenSince === null || socket.bytesWritten !== writtenThen) {
          Object.assign(connection, { untakenSince: now, writtenThen: socket.bytesWritten });
        } else if (now - untakenSince >= TAKEN_WITHIN_MS) {
          socket.destroy();
        }
      }
    }
  }

  #add(socket: Socket): void {
    const address = addressBlock(socket.remoteAddress ?? "");
    const peers = this.#byAddress.get(address) ?? new Set();
    const nothing = { request: null, response: null, isStream: false, untakenSince: null, writtenThen: 0 };
    const connection: Connection = { socket, peers, ...nothing };
    this.#byAddress.set(address, peers.add(connection));
    this.#connections.set(socket, connection);
    this.#count++;
    if (this.#count > this.#most) this.#makeRoom(connection);
    socket.once("close", () => {
      this.#remove(connection);
      if (peers.size === 0 && this.#byAddress.get(address) === peers) this.#byAddress.delete(address);
    });
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

  /** Told when a response has been sent whole; one that is cut off takes its connection with it. */
  answered(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection?.response !== response) return;
    connection.request = null;
    connection.response = null;
    const { peers } = connection;
    if (peers.delete(connection)) peers.add(connection);
  }

  #makeRoom(newcomer: Connection): void {
    const going = this.#heaviest((one) => one !== newcomer && isIdle(one)) ?? this.#heaviest(isUnfinished) ?? newcomer;
    this.#remove(going);
    going.socket.destroy();
  }

  /** The first such connection, of the address that has most of those that have one. */
  #heaviest(isIt: (connection: Connection) => boolean): Connection | null {
    let found: Connection | null = null;
    for (const peers of this.#byAddress.values()) {
      if (peers.size > (found?.peers.size ?? 0)) found = firstOf(peers, isIt) ?? found;
    }
    return found;
  }
}

function isIdle({ isStream, request }: Connection): boolean {
  return !isStream && request === null;
}

/** Whether a request has begun and not arrived whole. */
function isUnfinished({ isStream, request }: Connection): boolean {
  return !isStream && request?.complete === false;
}

function firstOf(connections: Iterable<Connection>, isIt: (connection: Connection) => boolean): Connection | null {
  for (const connection of connections) if (isIt(connection)) return connection;
  return null;
}
