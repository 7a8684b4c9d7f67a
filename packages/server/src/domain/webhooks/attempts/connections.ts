import type { Socket } from "node:net";
import type { Cancellation } from "../../../platform/network/cancellation.ts";
import { aborted } from "../../../platform/network/connection-failure.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { Connection } from "./connection.ts";

/** The right to use one connection to an origin, and the connection once there is one. */
export interface Slot {
  /** Pool and origin as one key. */
  readonly key: string;
  readonly origin: string;
  connection: Connection | null;
}

export interface ConnectionLimits {
  /** The most connections of a pool to an origin (scheme, host, port), both in use and idle; further callers wait. */
  perOrigin: number;
  /** The most idle connections to all origins; beyond it, the one idle for longest is closed. */
  idle: number;
  /** The maximum age of a connection, in milliseconds. */
  maxAgeMs: number;
  /** The longest wait for a connection, in milliseconds. */
  waitMs: number;
}

interface Origin {
  /** The number of taken slots and idle connections. */
  open: number;
  /** In order of last use; the newest is last. */
  idle: Connection[];
  waiting: ((slot: Slot) => void)[];
}

/** Keeps connections alive between requests, by pool and origin. A connection carries one request at a time. */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** Origins with open connections, by key. */
  readonly #origins = new Map<string, Origin>();
  /** All idle connections with their keys, in order of last use; the oldest is first. */
  readonly #idle = new Map<Connection, string>();
  #closed = false;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot for an origin in a pool; its connection is null when it must still be opened.
   *
   * @throws AttemptFailure when none becomes free in time; ConnectionFailure when the attempt is cancelled.
   */
  async acquire(pool: string, origin: string, cancellation: Cancellation): Promise<Slot> {
    const key = `${pool} ${origin}`;
    const known = this.#origins.get(key) ?? { open: 0, idle: [], waiting: [] };
    const connection = this.#takeIdle(known);
    if (connection !== null) return { key, origin, connection };
    if (known.open >= this.#limits.perOrigin) return await this.#wait(known, cancellation);
    known.open++;
    this.#origins.set(key, known);
    return { key, origin, connection: null };
  }

  /** Adds a new connection to `slot`. */
  fill(slot: Slot, address: string, socket: Socket): Connection {
    const connection = new Connection(slot.origin, address, socket, this.#limits.maxAgeMs, () =>
      this.#onClose(connection),
    );
    slot.connection = connection;
    return connection;
  }

  /** Releases a slot. Its connection is kept if it can be reused. */
  release(slot: Slot): void {
    const origin = this.#origins.get(slot.key);
    if (origin === undefined) throw new Error("a slot was released twice");
    const { connection } = slot;
    const kept = !this.#closed && connection?.reusable === true ? connection : null;
    if (kept === null) connection?.close();
    const next = origin.waiting.shift();
    if (next !== undefined) {
      next({ key: slot.key, origin: slot.origin, connection: kept });
    } else if (kept === null) {
      this.#free(slot.key, origin);
    } else {
      origin.idle.push(kept);
      this.#idle.set(kept, slot.key);
      if (this.#idle.size > this.#limits.idle) this.#closeOldest();
    }
  }

  /** Closes idle connections, and from now on every released one. */
  close(): void {
    this.#closed = true;
    for (const connection of [...this.#idle.keys()]) connection.close();
  }

  #takeIdle(origin: Origin): Connection | null {
    for (let connection = origin.idle.pop(); connection !== undefined; connection = origin.idle.pop()) {
      this.#idle.delete(connection);
      if (connection.reusable) return connection;
      connection.close();
      origin.open--;
    }
    return null;
  }

  #wait(origin: Origin, cancellation: Cancellation): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        cancellation.during(null);
        const index = origin.waiting.indexOf(go);
        if (index !== -1) origin.waiting.splice(index, 1);
      };
      const go = (slot: Slot) => {
        leave();
        resolve(slot);
      };
      const timer = setTimeout(() => {
        leave();
        reject(new AttemptFailure("busy", "All connections to the receiver are taken by other deliveries."));
      }, this.#limits.waitMs);
      origin.waiting.push(go);
      cancellation.during(() => {
        leave();
        reject(aborted());
      });
    });
  }

  #free(key: string, origin: Origin): void {
    origin.open--;
    if (origin.open === 0) this.#origins.delete(key);
  }

  #closeOldest(): void {
    for (const connection of this.#idle.keys()) {
      connection.close();
      this.#onClose(connection);
      return;
    }
  }

  /** Removes a closed connection that was idle. One in use is handled when its slot is released. */
  #onClose(connection: Connection): void {
    const key = this.#idle.get(connection);
    const origin = key === undefined ? undefined : this.#origins.get(key);
    if (key === undefined || origin === undefined) return;
    this.#idle.delete(connection);
    origin.idle = origin.idle.filter((other) => other !== connection);
    this.#free(key, origin);
  }
}
