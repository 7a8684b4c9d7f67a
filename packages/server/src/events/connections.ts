import type { TLSSocket } from "node:tls";
import { AttemptFailure, aborted } from "./attempt-failure.ts";
import type { Cancellation } from "./cancellation.ts";
import { Connection } from "./connection.ts";

/** The right to one connection to an origin, with the connection, if there is one already. */
export interface Slot {
  readonly origin: string;
  connection: Connection | null;
}

export interface ConnectionLimits {
  /** Connections to one origin (scheme, host, port), whether in use or idle; whoever needs one more waits. */
  perOrigin: number;
  /** Idle connections to all origins together; beyond it, the one idle for longest is closed. */
  idle: number;
  /** For how long a connection is used, in milliseconds. */
  maxAgeMs: number;
  /** How long to wait for a connection, in milliseconds. */
  waitMs: number;
}

interface Origin {
  /** Slots taken and connections idle. */
  open: number;
  /** The one used last comes last. */
  idle: Connection[];
  waiting: ((slot: Slot) => void)[];
}

/** Keeps connections alive between requests, by origin, so that each is used by one request at a time. */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** Those to which something is open. */
  readonly #origins = new Map<string, Origin>();
  /** All idle connections with their origin; the one idle for longest comes first. */
  readonly #idle = new Map<Connection, string>();
  #closed = false;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot for `name`, an origin; its connection is null when one has yet to be opened.
   *
   * @throws AttemptFailure when none becomes free in time, or the attempt is cancelled.
   */
  async take(name: string, cancellation: Cancellation): Promise<Slot> {
    const origin = this.#origins.get(name) ?? { open: 0, idle: [], waiting: [] };
    const connection = this.#takeIdle(origin);
    if (connection !== null) return { origin: name, connection };
    if (origin.open >= this.#limits.perOrigin) return await this.#wait(origin, cancellation);
    origin.open++;
    this.#origins.set(name, origin);
    return { origin: name, connection: null };
  }

  /** Puts a freshly opened connection into `slot`. */
  fill(slot: Slot, address: string, socket: TLSSocket): Connection {
    const connection = new Connection(slot.origin, address, socket, this.#limits.maxAgeMs, () =>
      this.#onClose(connection),
    );
    slot.connection = connection;
    return connection;
  }

  /** Gives back a slot; its connection is kept if it can be used again. */
  release(slot: Slot): void {
    const origin = this.#origins.get(slot.origin);
    if (origin === undefined) throw new Error("a slot was released twice");
    const { connection } = slot;
    const kept = !this.#closed && connection?.reusable === true ? connection : null;
    if (kept === null) connection?.close();
    const next = origin.waiting.shift();
    if (next !== undefined) {
      next({ origin: slot.origin, connection: kept });
    } else if (kept === null) {
      this.#free(slot.origin, origin);
    } else {
      origin.idle.push(kept);
      this.#idle.set(kept, slot.origin);
      if (this.#idle.size > this.#limits.idle) this.#closeOldest();
    }
  }

  /** Closes what is idle, and from now on whatever is released. */
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

  #free(name: string, origin: Origin): void {
    origin.open--;
    if (origin.open === 0) this.#origins.delete(name);
  }

  #closeOldest(): void {
    for (const connection of this.#idle.keys()) {
      connection.close();
      this.#onClose(connection);
      return;
    }
  }

  /** Forgets a connection that was idle when it closed; one in use is dealt with when its slot is released. */
  #onClose(connection: Connection): void {
    const name = this.#idle.get(connection);
    const origin = name === undefined ? undefined : this.#origins.get(name);
    if (name === undefined || origin === undefined) return;
    this.#idle.delete(connection);
    origin.idle = origin.idle.filter((other) => other !== connection);
    this.#free(name, origin);
  }
}
