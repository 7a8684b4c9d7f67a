import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { CERTIFICATES, TEST_KEY } from "../../../packages/server/test/support/certificates.ts";

/** A received event. */
export interface Receipt {
  eventId: string;
  body: Buffer;
  /** When the request was read completely, by `performance.now()`. */
  atMs: number;
}

/** Gives up waiting when no event has arrived for this long. */
const SILENCE_MS = 30_000;
/** Longer than any pause of the bench. */
const KEEP_ALIVE_MS = 120_000;

/** A webhook receiver in this process, with a certificate from the test authority. */
export class Receiver {
  readonly url: string;
  readonly receipts: Receipt[] = [];
  readonly #server: Server;
  #received = () => {};

  private constructor(server: Server, hangs: boolean) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.url = `https://127.0.0.1:${port}/events`;
    server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#receive(request, response, hangs),
    );
  }

  /** @param options.hangs whether it answers no request at all. */
  static async open({ hangs }: { hangs: boolean }): Promise<Receiver> {
    const server = createServer({ cert: CERTIFICATES.good, key: TEST_KEY, keepAliveTimeout: KEEP_ALIVE_MS });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Receiver(server, hangs);
  }

  /**
   * Resolves once there are `count` receipts or more.
   *
   * @throws when no event arrives for a long time.
   */
  async until(count: number): Promise<void> {
    const enough = Promise.withResolvers<void>();
    const giveUp = () => enough.reject(new Error(`only ${this.receipts.length} of ${count} events were received`));
    const timer = setTimeout(giveUp, SILENCE_MS);
    this.#received = () => {
      timer.refresh();
      if (this.receipts.length >= count) enough.resolve();
    };
    this.#received();
    try {
      await enough.promise;
    } finally {
      clearTimeout(timer);
      this.#received = () => {};
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #receive(request: IncomingMessage, response: ServerResponse, hangs: boolean): void {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const eventId = String(request.headers["x-open-event-id"]);
      this.receipts.push({ eventId, body: Buffer.concat(chunks), atMs: performance.now() });
      if (!hangs) response.end("ok");
      this.#received();
    });
  }
}
