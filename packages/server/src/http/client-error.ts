import type { Socket } from "node:net";
import { ERRORS, failure } from "@portico/protocol";

/** Statuses of what Node's parser refuses; everything else is a bad request. */
const STATUS_BY_CODE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Answers bytes that are not HTTP, and closes: where the next request would begin is unknown. */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket, reqNo: string): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_CODE[error.code ?? ""] ?? "400 Bad Request";
  const body = JSON.stringify(failure(ERRORS.INVALID_REQUEST.code, ERRORS.INVALID_REQUEST.message, reqNo));
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
