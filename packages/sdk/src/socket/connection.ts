import { TransportError } from "@portico/protocol/client/errors";
import type { GoodbyeReason, SocketClientFrame, SocketEvent, SocketHello } from "@portico/protocol/socket";
import type { RawData, WebSocket } from "ws";
import { readServerFrame } from "./frames.ts";
import { opened, openSocket } from "./open-socket.ts";
import type { SocketAddress } from "./socket-address.ts";

/** How long the service has to record the answers that were sent and to answer the end of the connection, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

/** What the owner of a connection hears. */
export interface ConnectionEvents {
  /** An event, to be answered by {@link Connection.send}. */
  onEvent(event: SocketEvent, hello: SocketHello): void;
  /** The service is about to end the connection; acknowledgements still count. */
  onGoodbye(reason: GoodbyeReason): void;
  /** The service did not understand a frame. */
  onError(message: string): void;
}

/** An open connection to the stream of events, from its hello to its end. */
export class Connection {
  readonly hello: SocketHello;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  readonly #socket: WebSocket;

  /**
   * Connects, and waits for the hello.
   *
   * @throws ApiRefusedError when the service refuses, TransportError when no connection comes about.
   */
  static async open(address: SocketAddress, events: ConnectionEvents): Promise<Connection> {
    const socket = openSocket(address);
    const early: string[] = [];
    const keep = (data: RawData) => early.push(String(data));
    // A frame can come with the answer to the handshake, before the promise is settled.
    socket.on("message", keep);
    try {
      await opened(socket);
      socket.on("error", () => {});
      const hello = await helloOf(socket, early, address.timeoutMs);
      socket.off("message", keep);
      return new Connection(socket, hello, early, events);
    } catch (error) {
      socket.on("error", () => {});
      socket.terminate();
      throw error;
    }
  }

  private constructor(socket: WebSocket, hello: SocketHello, early: readonly string[], events: ConnectionEvents) {
    this.#socket = socket;
    this.hello = hello;
    this.ended = new Promise((resolve) => {
      if (socket.readyState === socket.CLOSED) resolve();
      else socket.once("close", () => resolve());
    });
    const hear = (text: string) => {
      const frame = readServerFrame(text);
      if (frame?.type === "event") events.onEvent(frame, hello);
      else if (frame?.type === "goodbye") events.onGoodbye(frame.reason);
      else if (frame?.type === "error") events.onError(frame.message);
    };
    for (const text of early) hear(text);
    socket.on("message", (data) => hear(String(data)));
    watchOver(socket, hello.heartbeatMs);
  }

  /** Sends a frame; nothing happens once the connection is closed: the event is then given to another one. */
  send(frame: SocketClientFrame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  /**
   * Ends the connection; resolves when the service has taken the answers that were sent and has closed it. What was not
   * answered goes to another one.
   */
  async close(): Promise<void> {
    this.#socket.close(1000);
    const timer = setTimeout(() => this.#socket.terminate(), CLOSE_TIMEOUT_MS);
    await this.ended;
    clearTimeout(timer);
  }
}

/** Takes the hello from the frames that have come, or waits for it. */
function helloOf(socket: WebSocket, early: string[], timeoutMs: number): Promise<SocketHello> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      stop();
      reject(new TransportError(`${socket.url}: ${reason}`, { cause: undefined, httpStatus: undefined }));
    };
    const look = () => {
      const text = early.shift();
      if (text === undefined) return;
      stop();
      const frame = readServerFrame(text);
      if (frame?.type === "hello") resolve(frame);
      else
        reject(new TransportError(`${socket.url}: no hello came first`, { cause: undefined, httpStatus: undefined }));
    };
    const onClose = (code: number) => fail(`closed with ${code} before the hello`);
    const timer = setTimeout(() => fail(`no hello within ${timeoutMs} ms`), timeoutMs);
    const stop = () => {
      clearTimeout(timer);
      socket.off("message", look);
      socket.off("close", onClose);
    };
    socket.on("message", look);
    socket.once("close", onClose);
    look();
  });
}

/** Ends a connection of which nothing was heard for two heartbeats, and pings meanwhile, so that the service hears of us. */
function watchOver(socket: WebSocket, heartbeatMs: number): void {
  let silentBeats = 0;
  const heard = () => {
    silentBeats = 0;
  };
  for (const event of ["message", "ping", "pong"]) socket.on(event, heard);
  const timer = setInterval(() => {
    if (++silentBeats > 2) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, heartbeatMs);
  socket.once("close", () => clearInterval(timer));
}
