import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ERRORS, failure } from "@portico/protocol";

/** The statuses of errors of Node's parser; all others are bad requests. */
const STATUS_BY_CODE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
/** How long the client may send after the answer before the connection is destroyed. */
const LINGER_MS = 2_000;

/** Answers bytes that are not valid HTTP, and closes the connection: the start of the next request is unknown. */
export class MalformedHttpAnswerer {
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  readonly #nextReqNo: () => string;

  constructor(nextReqNo: () => string) {
    this.#nextReqNo = nextReqNo;
  }

  /** Watches the requests of `server`, so that this answer does not overtake a pending one. */
  watch(server: Server): void {
    server.on("request", (request, response) => this.#latest.set(request.socket, response));
  }

  /** Call it when a response has been sent completely, so that an idle connection keeps no memory for it. */
  answered(request: IncomingMessage, response: ServerResponse): void {
    if (this.#latest.get(request.socket) === response) this.#latest.delete(request.socket);
  }

  /** Handles Node's `clientError` event. */
  answer(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    // After the answer, remaining bytes are read and discarded until the client has closed the connection.
    if (!socket.writable) return;
    const due = this.#latest.get(socket);
    if (due?.req.complete && !due.writableFinished) {
      due.once("close", () => close(socket, ""));
      return;
    }
    const status = STATUS_BY_CODE[error.code ?? ""] ?? "400 Bad Request";
    const { code, message } = ERRORS.INVALID_REQUEST;
    const body = JSON.stringify(failure(code, message, this.#nextReqNo()));
    const head = [
      `HTTP/1.1 ${status}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    close(socket, `${head.join("\r\n")}\r\n\r\n${body}`);
  }
}

function close(socket: Socket, lastWords: string): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}
