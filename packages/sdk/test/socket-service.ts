import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { canonicalString } from "@portico/protocol";
import { sha256Hex, verifyHmac } from "@portico/protocol/signature";
import { type GoodbyeReason, SOCKET_PATH, type SocketEvent } from "@portico/protocol/socket";
import { type WebSocket, WebSocketServer } from "ws";
import { CREDENTIAL } from "./service.ts";
import { messageEvent } from "./webhook-delivery.ts";

/** A bot's connection, as the service sees it. */
export class BotConnection {
  readonly socket: WebSocket;
  /** The frames that came, in their order. */
  readonly frames: Record<string, unknown>[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      this.frames.push(JSON.parse(String(data)));
      for (const look of this.#waiting) look();
    });
  }

  /** Sends an event of a message; `deliveryId` is the event's id unless told. */
  sendMessage(eventId: string, text = "hello", { chatId = "g_team", deliveryId = eventId } = {}): void {
    const event = messageEvent();
    const body = JSON.stringify({ ...event, eventId, message: { ...event.message, chatId, content: { text } } });
    const { eventType } = event;
    this.send({
      type: "event",
      deliveryId,
      eventId,
      eventType,
      timestamp: Date.now(),
      attempt: 1,
      body,
    } as SocketEvent);
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  goodbye(reason: GoodbyeReason): void {
    this.send({ type: "goodbye", reason });
  }

  /** Resolves with the frame about a delivery. */
  async answerTo(deliveryId: string): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.frames.find((frame) => frame.deliveryId === deliveryId);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const look = () => {
          this.#waiting.delete(look);
          resolve();
        };
        this.#waiting.add(look);
      });
    }
  }
}

/** A service on loopback that has the stream of events alone; it checks the signature of each handshake. */
export async function startSocketService({ eventTypes = ["im.message.receive_v1"], heartbeatMs = 30_000 } = {}) {
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true });
  const connections: BotConnection[] = [];
  const waiting: ((connection: BotConnection) => void)[] = [];
  const handshakes: string[] = [];
  /** Answers of the next handshakes, in place of a connection. */
  const refusals: { status: number; code: string; retryAfter?: number }[] = [];
  server.on("upgrade", (request, socket, head) => {
    handshakes.push(request.url ?? "");
    const refusal = isSigned(request) ? refusals.shift() : { status: 401, code: "400001" };
    if (refusal !== undefined) {
      const { status, code, retryAfter } = refusal;
      const body = JSON.stringify({ code, message: "refused", value: null, reqNo: "req_1" });
      const heads = [`HTTP/1.1 ${status} No`, "Content-Type: application/json", `Content-Length: ${body.length}`];
      if (retryAfter !== undefined) heads.push(`Retry-After: ${retryAfter}`);
      socket.end(`${[...heads, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new BotConnection(webSocket);
      const connectionId = `conn_${connections.push(connection)}`;
      const { appId } = CREDENTIAL;
      connection.send({ type: "hello", connectionId, appId, eventTypes, heartbeatMs, ackTimeoutMs: 8_000 });
      waiting.shift()?.(connection);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    options: { ...CREDENTIAL, baseUrl: `http://127.0.0.1:${port}` },
    connections,
    handshakes,
    refusals,
    /** Resolves with the next connection. Called before it is made. */
    nextConnection: () => new Promise<BotConnection>((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      for (const { socket } of connections) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function isSigned({ method = "", url = "", headers }: IncomingMessage): boolean {
  const [path = "", rawQuery = ""] = url.split("?", 2);
  const canonical = canonicalString({
    ...{ method, path, rawQuery, appId: CREDENTIAL.appId, credentialId: CREDENTIAL.credentialId },
    timestamp: String(headers["x-open-timestamp"]),
    nonce: String(headers["x-open-nonce"]),
    bodyHash: sha256Hex(""),
  });
  return path === SOCKET_PATH && verifyHmac(CREDENTIAL.appSecret, canonical, String(headers["x-open-signature"]));
}
