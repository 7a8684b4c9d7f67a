import type { IncomingMessage, Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionLimit } from "../platform/http/connection-limit.ts";

/** How long open connections are kept after the last was accepted, for requests that are under way. */
const LINGER_MS = 500;
const LOOK_EVERY_MS = 10;

/**
 * How a process leaves its balancer without a call that fails. Once begun, readiness checks fail, and each answer says that
 * its connection ends with it. When balancers have had time to notice, no connection is accepted any more: who then opens
 * one is refused, and goes elsewhere. Those that are open stay for a moment, because a request may already be on its way.
 */
export class Departure {
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Resolves when the server accepts nothing, and calls have left it or had their time. */
  async begin(server: Server, connections: ConnectionLimit, delayMs: number): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    await sleep(delayMs);
    // After this turn's connections were accepted: the system breaks those that wait for it when the server closes.
    await new Promise((resolve) => setImmediate(resolve));
    // HTTP's own close would end connections that seem to be idle.
    NetServer.prototype.close.call(server);
    const deadline = performance.now() + LINGER_MS;
    while (connections.ofCalls > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  }

  /** Has the answer end its connection, if the process goes. */
  note(request: IncomingMessage, setHeader: (name: string, value: string) => void): void {
    if (this.#hasBegun && request.headers.upgrade === undefined) setHeader("connection", "close");
  }
}
