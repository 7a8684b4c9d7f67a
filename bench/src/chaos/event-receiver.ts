import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { CERTIFICATES, TEST_KEY } from "../../../packages/server/test/support/certificates.ts";
import type { Random } from "./random.ts";

/** Ways to misbehave. */
export const RECEIVER_MODES = ["fails", "hangs", "hangs up", "acknowledges, then fails"] as const;
export type ReceiverMode = (typeof RECEIVER_MODES)[number] | "answers";

/** The type of an event and the message that it tells of. */
export type EventKey = `${string}/${number}`;

/** A webhook receiver that can misbehave. Keeps which events it has received. */
export class EventReceiver {
  mode: ReceiverMode = "answers";
  readonly url: string;
  /** How often each event was received, by its id. */
  readonly #timesOf = new Map<string, number>();
  readonly #received = new Set<EventKey>();
  readonly #server: Server;
  readonly #random: Random;

  private constructor(server: Server, random: Random) {
    this.#server = server;
    this.#random = random;
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
  }

  static async open(random: Random): Promise<EventReceiver> {
    const server = createServer({ cert: CERTIFICATES.good, key: TEST_KEY }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new EventReceiver(server, random);
  }

  /** Whether an event of this type about this message was received. */
  has(eventType: string, messageId: number): boolean {
    return this.#received.has(`${eventType}/${messageId}`);
  }

  /** The number of different events, and of receipts beyond the first of each. */
  get counts(): { events: number; repeated: number } {
    let receipts = 0;
    for (const times of this.#timesOf.values()) receipts += times;
    return { events: this.#timesOf.size, repeated: receipts - this.#timesOf.size };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { mode } = this;
    if (mode === "hangs") return;
    if (mode === "hangs up") {
      request.destroy();
      return;
    }
    if (mode === "fails") {
      response.writeHead(this.#random.pick([500, 503, 429])).end();
      return;
    }
    this.#keep(body);
    response.writeHead(mode === "answers" ? 200 : 500).end();
  }

  #keep(body: string): void {
    const event: { eventId?: string; eventType?: string; message?: { messageId?: number } } = JSON.parse(body);
    const { eventId, eventType, message } = event;
    if (eventId === undefined || eventType === undefined) return;
    this.#timesOf.set(eventId, (this.#timesOf.get(eventId) ?? 0) + 1);
    if (message?.messageId !== undefined) this.#received.add(`${eventType}/${message.messageId}`);
  }
}
