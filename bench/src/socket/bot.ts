import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { SOCKET_PATH, type SocketServerFrame } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { WebSocket } from "ws";
import { credentialOf } from "./world.ts";

const QUERY = "take=im.message.receive_v1";

/** A connected bot, which acknowledges every event at once. */
export class Bot {
  /** When the event of each message came, by messageId, on the monotonic clock. */
  readonly cameAt = new Map<number, number>();
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#take(JSON.parse(String(data))));
  }

  /** Connects a bot of the bench's world; resolves once it has heard hello. */
  static async connect(port: number, appId: string): Promise<Bot> {
    const timestamp = Date.now();
    const request = { ...credentialOf(appId), method: "GET", path: SOCKET_PATH, rawQuery: QUERY, timestamp };
    const { headers } = signRequest({ ...request, nonce: randomUUID(), body: "" });
    const socket = new WebSocket(`ws://127.0.0.1:${port}${SOCKET_PATH}?${QUERY}`, { headers });
    const bot = new Bot(socket);
    await once(socket, "message");
    return bot;
  }

  close(): void {
    this.#socket.terminate();
  }

  #take(frame: SocketServerFrame): void {
    if (frame.type !== "event") return;
    const at = performance.now();
    const { messageId } = JSON.parse(frame.body).message;
    if (!this.cameAt.has(messageId)) this.cameAt.set(messageId, at);
    this.#socket.send(JSON.stringify({ type: "ack", deliveryId: frame.deliveryId }));
  }
}
