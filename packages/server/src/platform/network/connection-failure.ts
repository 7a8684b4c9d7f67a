/** Why no connection was opened. */
export type ConnectionProblem =
  | "connect-timeout"
  | "connection-refused"
  | "connection-reset"
  | "unreachable"
  | "network"
  | "tls"
  | "aborted";

/** A connection that could not be opened, or was not wanted any more. The message is for the other side's developer. */
export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  readonly reason: ConnectionProblem;

  constructor(reason: ConnectionProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const UNREACHABLE = new Set([
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EHOSTDOWN",
  "ENETDOWN",
  "EACCES",
  "EPERM",
]);
const LOST = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);
const MAX_WORDS = 200;

export function aborted(): ConnectionFailure {
  return new ConnectionFailure("aborted", "The attempt was broken off.");
}

/** @param connected whether TCP was established. */
export function failureToConnect(error: unknown, connected: boolean): ConnectionFailure {
  const code = codeOf(error);
  if (connected) {
    const reason = isLoss(error) ? "connection-reset" : "tls";
    return new ConnectionFailure(reason, `The TLS handshake failed: ${wordsOf(error)}.`, { cause: error });
  }
  if (code === "ECONNREFUSED") {
    return new ConnectionFailure("connection-refused", "The receiver refused the connection.");
  }
  if (code === "ETIMEDOUT") {
    return new ConnectionFailure("connect-timeout", "The receiver did not accept the connection.");
  }
  const reason = UNREACHABLE.has(code) ? "unreachable" : isLoss(error) ? "connection-reset" : "network";
  return new ConnectionFailure(reason, `The connection could not be opened: ${wordsOf(error)}.`, { cause: error });
}

/** Whether the other side, or something on the way, has ended the connection. */
export function isLoss(error: unknown): boolean {
  return LOST.has(codeOf(error));
}

/** The system's code of an error; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The error's message, parts of which may come from the other side. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const printable = words.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return printable.slice(0, MAX_WORDS).replace(/\.$/, "").toWellFormed();
}
