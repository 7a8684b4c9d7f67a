import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { ApiError, type EventType, SOCKET_LIMITS } from "@portico/protocol";
import type { Logger } from "pino";
import type { Clock } from "../../../platform/clock/clock.ts";
import { coalesced } from "../../../platform/coalesced.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { ClaimedDelivery } from "../claimed-delivery.ts";
import type { DueClock } from "../due-clock.ts";
import { getRecipients } from "../subscription-store.ts";
import { type LateAck, settleLate } from "./late-ack.ts";
import { destinationOf } from "./receivers.ts";
import { type SocketChannel, SocketConnection } from "./socket-connection.ts";
import {
  endBindings,
  insertConnection,
  listConnections,
  listDeadConnections,
  lockSockets,
  removeConnection,
  removeDeadConnection,
  renewConnections,
  socketLane,
} from "./socket-store.ts";

/** A connection whose lease has ended counts as dead; a living process renews it in time. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 3_000;
/** When a client may come again that found all places taken: the place of a dead connection is free by then. */
const RETRY_AFTER_SECONDS = 5;
/** The pause before another try to give back what a connection had. */
const TRY_AGAIN_MS = 1_000;
/** A little longer than acknowledgements count after a goodbye. */
const CLOSE_WITHIN_MS = SOCKET_LIMITS.goodbyeMs + 500;
/** Dead connections that are removed in one round. */
const DEAD_AT_ONCE = 1_000;

/** The dependencies of {@link SocketHub}. */
export interface SocketHubParts {
  storage: Storage;
  clock: Clock;
  dueClock: DueClock;
  config: Config;
  log: Logger;
  /** Notifies the dispatchers of all processes. */
  due(appId: string): void;
  /** Notifies the dispatcher of sockets in this process. */
  wake(appId: string): void;
  /** Sees to what waits for a socket. */
  tend(appId: string): void;
}

/** Who opens a connection. */
export interface Opener {
  appId: string;
  credentialId: string;
  takes: readonly EventType[];
}

/** A place for a connection, taken before its WebSocket is open. */
export interface Place extends Opener {
  connectionId: string;
  /** For the hello: what is subscribed by socket, or taken. */
  eventTypes: EventType[];
}

interface ConnectionsOfApp {
  connections: Set<SocketConnection>;
  /** How often a place for an event has become free. */
  freed: number;
}

/** How many events each connection can take, and how often a place had become free when this was read. */
export interface Rooms {
  rooms: ReadonlyMap<string, number>;
  freed: number;
}

/**
 * The connections of socket mode that this process holds. Each is a row in the database under a lease, so that all
 * processes know them all, and what a dead process had is given to others.
 */
export class SocketHub {
  readonly #parts: SocketHubParts;
  /** Names this process; another one on the same machine, or a later one, has another name. */
  readonly processId = randomUUID();
  readonly #connections = new Map<string, SocketConnection>();
  readonly #byApp = new Map<string, ConnectionsOfApp>();
  /** Applications of which something waits for room here. */
  readonly #hungry = new Set<string>();
  /** Places and ends that are being written. */
  readonly #work = new Set<Promise<void>>();
  readonly #renewal: NodeJS.Timeout;
  #closing: Promise<void> | null = null;
  #isClosed = false;
  #whenGone = () => {};

  constructor(parts: SocketHubParts) {
    this.#parts = parts;
    this.#renewal = setInterval(() => void this.renew(), RENEW_EVERY_MS);
    this.#renewal.unref();
  }

  /** All connections of this process. */
  get connections(): Iterable<SocketConnection> {
    return this.#connections.values();
  }

  /** The number of connections of this process. */
  get count(): number {
    return this.#connections.size;
  }

  /** Whether this process has a connection of the application. */
  has(appId: string): boolean {
    return this.#byApp.has(appId);
  }

  find(connectionId: string): SocketConnection | undefined {
    return this.#connections.get(connectionId);
  }

  /** How many events each of the application's connections here can take. */
  roomsOf(appId: string): Rooms {
    const { connections = [], freed = 0 } = this.#byApp.get(appId) ?? {};
    return { rooms: new Map([...connections].map((one) => [one.connectionId, one.room])), freed };
  }

  /**
   * Something of the application waits for room: the next place that becomes free wakes the dispatcher, or one that has
   * since the rooms were read.
   */
  setHungry(appId: string, { freed }: Pick<Rooms, "freed">): void {
    if ((this.#byApp.get(appId)?.freed ?? 0) === freed) this.#hungry.add(appId);
    else this.#parts.wake(appId);
  }

  #freed(appId: string): void {
    const ofApp = this.#byApp.get(appId);
    if (ofApp !== undefined) ofApp.freed++;
    if (this.#hungry.delete(appId)) this.#parts.wake(appId);
  }

  /** What became of a delivery that was sent from here is on disk, or cannot be written. */
  settled({ deliveryId, socket }: ClaimedDelivery): void {
    if (socket !== undefined) this.#connections.get(socket.connectionId)?.settled(deliveryId);
  }

  /** Whether the application has other connections, at any process. Never rejects. */
  async hasOthers({ appId, connectionId: own }: SocketConnection): Promise<boolean> {
    const { storage, dueClock } = this.#parts;
    const now = dueClock.now();
    try {
      const all = await listConnections(storage.db, appId);
      return all.some(({ connectionId, leaseUntil }) => connectionId !== own && leaseUntil > now);
    } catch {
      return false;
    }
  }

  /** A random number below `count`. */
  pick(count: number): number {
    return count <= 1 ? 0 : randomInt(count);
  }

  /**
   * Takes a place for a connection.
   *
   * @throws ApiError 429001 when the application has as many connections as it may.
   */
  async reserve({ appId, credentialId, takes }: Opener): Promise<Place> {
    const { storage, dueClock } = this.#parts;
    const connectionId = `conn_${randomBytes(16).toString("base64url")}`;
    const eventTypes = await storage.write(async (tx) => {
      await lockSockets(tx, storage.dialect, appId);
      const now = dueClock.now();
      const alive = (await listConnections(tx, appId)).filter(
        ({ connectionId, leaseUntil }) => leaseUntil > now || this.#connections.has(connectionId),
      );
      if (alive.length >= SOCKET_LIMITS.connectionsPerApp) {
        throw new ApiError("STREAMS_TOO_MANY", { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      await insertConnection(tx, appId, {
        connectionId,
        processId: this.processId,
        leaseUntil: now + LEASE_MS,
        takes,
      });
      return takes.length > 0 ? [...takes] : await this.#subscribedBySocket(tx, appId);
    }, socketLane(appId));
    return { connectionId, appId, credentialId, takes, eventTypes };
  }

  /** Gives a place back whose WebSocket did not open. */
  async cancel({ connectionId, appId, takes }: Place): Promise<void> {
    await this.#remove(connectionId, appId, { ended: 0, settled: () => [] });
    if (takes.length > 0) this.#parts.tend(appId);
  }

  /** Puts an open WebSocket in its place; call {@link closed} when it has closed. The caller says hello first. */
  add({ connectionId, appId, credentialId, takes }: Place, channel: SocketChannel): SocketConnection {
    const { clock, config } = this.#parts;
    const connection = new SocketConnection({
      connectionId,
      appId,
      credentialId,
      takes,
      channel,
      clock,
      ackTimeoutMs: config.webhook.readTimeoutMs,
      onRoom: () => this.#freed(appId),
      onTimeout: coalesced(() => this.#endBindings(connectionId, appId)),
      onLateAck: (ack) => this.#settleLate(ack),
    });
    this.#connections.set(connectionId, connection);
    const ofApp = this.#byApp.get(appId) ?? { connections: new Set(), freed: 0 };
    this.#byApp.set(appId, ofApp);
    ofApp.connections.add(connection);
    if (this.#closing !== null) connection.leave("restart");
    return connection;
  }

  /** The WebSocket has closed: all that was not answered is due again, for other connections. */
  closed(connection: SocketConnection): void {
    const { connectionId, appId, takes } = connection;
    if (!this.#connections.delete(connectionId)) return;
    const ofApp = this.#byApp.get(appId);
    ofApp?.connections.delete(connection);
    if (ofApp?.connections.size === 0) this.#byApp.delete(appId);
    if (this.#connections.size === 0) this.#whenGone();
    const isOurFault = connection.isLeaving || this.#isClosed;
    const work = this.#remove(connectionId, appId, {
      ended: isOurFault ? 0 : 1,
      settled: () => connection.settledAtEnd(({ ends }) => ends + 1 >= SOCKET_LIMITS.endsInARow),
    })
      .finally(() => connection.abandon())
      .then(() => {
        this.#parts.due(appId);
        if (takes.length > 0) this.#parts.tend(appId);
      });
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  /** Renews the leases of this process's connections. One that another process counts as dead is ended. Never rejects. */
  async renew(): Promise<void> {
    if (this.#connections.size === 0) return;
    const { storage, dueClock, log } = this.#parts;
    try {
      const ours = [...this.#connections.values()];
      const kept = new Set(
        await storage.write((tx) => renewConnections(tx, this.processId, dueClock.now() + LEASE_MS), "socket-leases"),
      );
      for (const connection of ours) if (!kept.has(connection.connectionId)) connection.terminate();
    } catch (error) {
      log.warn({ err: error }, "the leases of socket connections could not be renewed; tried again shortly");
    }
  }

  /** Gives to others what connections of dead processes had. Never rejects. */
  async removeDead(): Promise<void> {
    const { storage, dueClock, log, due, tend } = this.#parts;
    try {
      const now = dueClock.now();
      for (const { appId, connectionId } of await listDeadConnections(storage.db, now, DEAD_AT_ONCE)) {
        // Its lease may only have run out because this process was busy.
        if (this.#connections.has(connectionId)) continue;
        const isRemoved = await storage.write(async (tx) => {
          await lockSockets(tx, storage.dialect, appId);
          return await removeDeadConnection(tx, connectionId, now);
        }, socketLane(appId));
        if (!isRemoved) continue;
        due(appId);
        tend(appId);
      }
    } catch (error) {
      log.warn({ err: error }, "dead socket connections could not be removed; tried again shortly");
    }
  }

  /** Says goodbye to all connections, and waits until they have closed and all that they had has been given back. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    for (const connection of this.#connections.values()) connection.leave("restart");
    const deadline = performance.now() + CLOSE_WITHIN_MS;
    while (this.#connections.size > 0 && performance.now() < deadline) {
      const late = new Promise<void>((resolve) => {
        setTimeout(resolve, Math.max(0, deadline - performance.now())).unref();
      });
      await Promise.race([late, new Promise<void>((resolve) => (this.#whenGone = resolve))]);
    }
    this.#isClosed = true;
    clearInterval(this.#renewal);
    for (const connection of [...this.#connections.values()]) {
      connection.terminate();
      this.closed(connection);
    }
    await Promise.all(this.#work);
  }

  async #subscribedBySocket(tx: Parameters<typeof getRecipients>[0], appId: string): Promise<EventType[]> {
    const recipients = await getRecipients(tx, appId);
    return [...recipients.subscriptions.keys()].filter((eventType) => {
      const destination = destinationOf(eventType, recipients, []);
      return destination.to === "socket";
    });
  }

  /**
   * Removes a connection from the database; tries again while that is impossible. If the service stops meanwhile, the
   * lease ends.
   */
  async #remove(
    connectionId: string,
    appId: string,
    { ended, settled }: { ended: 0 | 1; settled: () => number[] },
  ): Promise<void> {
    const { storage, dueClock, log } = this.#parts;
    const left = settled();
    for (;;) {
      try {
        await storage.write(async (tx) => {
          await lockSockets(tx, storage.dialect, appId);
          await removeConnection(tx, connectionId, { now: dueClock.now(), ended, settled: left });
        }, socketLane(appId));
        return;
      } catch (error) {
        log.warn({ err: error, connectionId }, "the end of a socket connection could not be written; tried again");
        if (this.#isClosed) return;
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      }
    }
  }

  /** Never rejects: what is not written now is at the next timeout, or ends with the connection. */
  async #endBindings(connectionId: string, appId: string): Promise<void> {
    const { storage, log, due } = this.#parts;
    try {
      await storage.write(async (tx) => {
        await lockSockets(tx, storage.dialect, appId);
        await endBindings(tx, connectionId);
      }, socketLane(appId));
      due(appId);
    } catch (error) {
      log.warn({ err: error, connectionId }, "a connection that does not answer keeps its conversations for now");
    }
  }

  /** Never rejects; an acknowledgement that is lost brings its event again. */
  async #settleLate(ack: LateAck): Promise<void> {
    const { storage, log } = this.#parts;
    try {
      await storage.write((tx) => settleLate(tx, ack), `deliveries:${ack.appId}`);
    } catch (error) {
      log.warn({ err: error }, "a late acknowledgement could not be recorded");
    }
  }
}
