import { randomUUID } from "node:crypto";
import {
  type EventType,
  SOCKET_PATH,
  type SocketEvent,
  type SocketServerFrame,
  type Transport,
} from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { WebSocket } from "ws";
import { putSubscription, secretOwner } from "../../src/domain/webhooks/subscription-store.ts";
import { credentialsOf } from "./acme.ts";
import type { Credentials } from "./http.ts";
import { until } from "./webhooks.ts";
import type { World } from "./world.ts";

/** The headers of a signed handshake. */
function handshakeHeaders(
  { appId, credentialId, appSecret }: Credentials,
  timestamp: number,
  query = "",
): Record<string, string> {
  const request = { method: "GET", path: SOCKET_PATH, rawQuery: query, appId, credentialId, appSecret, timestamp };
  return { ...signRequest({ ...request, nonce: randomUUID(), body: "" }).headers };
}

/** A refused handshake. */
export interface RefusedHandshake {
  status: number;
  headers: Record<string, unknown>;
  json: { code: string; message: string };
}

/** How a test's bot answers an event: by an acknowledgement, not at all, or as it does itself. */
type Answering = "ack" | "nothing" | ((client: SocketClient, event: SocketEvent) => void);

interface ClientOptions {
  url: string;
  credentials: Credentials;
  timestamp?: number;
  take?: readonly string[];
  answering?: Answering;
}

/** A connection of socket mode under test: keeps all frames, and waits for further ones. */
export class SocketClient {
  readonly frames: SocketServerFrame[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  answering: Answering;

  private constructor(socket: WebSocket, answering: Answering) {
    this.socket = socket;
    this.answering = answering;
    socket.on("message", (data) => {
      const frame: SocketServerFrame = JSON.parse(String(data));
      this.frames.push(frame);
      if (frame.type !== "event") return;
      if (this.answering === "ack") this.ack(frame);
      else if (this.answering !== "nothing") this.answering(this, frame);
    });
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
    });
  }

  /** Opens a connection; resolves with the client once it has heard hello, or with the refusal. */
  static async tryOpen(options: ClientOptions): Promise<SocketClient | RefusedHandshake> {
    const { url, credentials, timestamp = Date.now(), take, answering = "ack" } = options;
    const query = take === undefined ? "" : `take=${encodeURIComponent(take.join(","))}`;
    const address = `${url.replace("http", "ws")}${SOCKET_PATH}${query === "" ? "" : `?${query}`}`;
    const socket = new WebSocket(address, { headers: handshakeHeaders(credentials, timestamp, query) });
    const client = new SocketClient(socket, answering);
    const refused = await new Promise<RefusedHandshake | null>((resolve, reject) => {
      socket.on("open", () => resolve(null));
      socket.on("unexpected-response", (_request, response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, json: JSON.parse(text) });
        });
      });
      socket.on("error", reject);
    });
    if (refused !== null) return refused;
    await until(() => client.frames.length > 0, "hello");
    return client;
  }

  /** Opens a connection that has to be admitted. */
  static async open(options: ClientOptions): Promise<SocketClient> {
    const opened = await SocketClient.tryOpen(options);
    if (opened instanceof SocketClient) return opened;
    throw new Error(`the handshake was refused with ${opened.status}: ${JSON.stringify(opened.json)}`);
  }

  /** Opens a connection of an application of the world, to its first process or that of the given address. */
  static of(
    world: World,
    appId: string,
    { url = world.url, ...other }: Partial<Pick<ClientOptions, "url" | "take" | "answering">> = {},
  ): Promise<SocketClient> {
    return SocketClient.open({ url, credentials: credentialsOf(appId), timestamp: world.clock.now(), ...other });
  }

  /** Makes a function that opens connections as {@link of} does, which close when their test ends. */
  static opener(world: () => World) {
    return async (
      t: { after(fn: () => unknown): void },
      appId: string,
      options: Parameters<typeof SocketClient.of>[2] = {},
    ): Promise<SocketClient> => {
      const client = await SocketClient.of(world(), appId, options);
      t.after(() => client.close());
      return client;
    };
  }

  get events(): SocketEvent[] {
    return this.frames.filter((frame) => frame.type === "event");
  }

  /** Texts of the messages, in the order of their frames. */
  get texts(): string[] {
    return this.events.map(({ body }) => JSON.parse(body).message.content.text);
  }

  /** The events, once there are `count`. */
  async take(count: number): Promise<SocketEvent[]> {
    await until(() => this.events.length >= count, `${count} events`);
    return this.events;
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  ack({ deliveryId }: Pick<SocketEvent, "deliveryId">): void {
    this.send({ type: "ack", deliveryId });
  }

  close(): Promise<{ code: number; reason: string }> {
    this.socket.close();
    return this.closed;
  }
}

/** Subscribes like the console, by socket or, without an address, not at all. */
export async function subscribeBySocket(
  world: World,
  appId: string,
  eventType: EventType = "im.message.receive_v1",
  transport: Transport = "SOCKET",
  callbackUrl: string | null = null,
): Promise<void> {
  const { storage, secretBox, clock, webhooks } = world.portico.ctx;
  const sealed = secretBox.seal("secret", secretOwner(appId, eventType));
  const subscription = { appId, eventType, transport, callbackUrl, status: "ACTIVE" as const, secretBox: sealed };
  await storage.write((tx) => putSubscription(tx, subscription, clock.now()));
  webhooks.subscriptionChanged(appId);
}
