import type { DeliveryFailure } from "@portico/protocol";
import { errors } from "undici";
import type { AddressRefused, RefusalCode } from "./address-guard.ts";

/** Why a delivery attempt got no answer. */
export type FailureReason =
  | DeliveryFailure
  /** This service is overloaded. Not recorded, because it says nothing about the receiver. */
  | "busy"
  /** The service cancelled the attempt. Not recorded either. */
  | "aborted";

/** An attempt without an answer. The message is for the receiver's developer. */
export class AttemptFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export function aborted(): AttemptFailure {
  return new AttemptFailure("aborted", "The attempt was broken off.");
}

/** The failure of an attempt whose address is refused, or could not be resolved. */
export function failureOfAddress(error: AddressRefused): AttemptFailure {
  return new AttemptFailure(REASON_OF_ADDRESS[error.code], error.message, { cause: error });
}

const REASON_OF_ADDRESS: Readonly<Record<RefusalCode, FailureReason>> = {
  "too-long": "refused-address:too-long",
  malformed: "refused-address:malformed",
  "not-https": "refused-address:not-https",
  "credentials-in-url": "refused-address:credentials-in-url",
  "private-address": "refused-address:private-address",
  unresolvable: "dns",
  "lookup-timeout": "connect-timeout",
  "lookups-busy": "busy",
};

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

/**
 * The failure of an attempt that could not open a connection.
 *
 * @param connected whether TCP was established.
 */
export function failureToConnect(error: unknown, connected: boolean): AttemptFailure {
  const code = codeOf(error);
  if (connected) {
    const reason = LOST.has(code) ? "connection-reset" : "tls";
    return new AttemptFailure(reason, `The TLS handshake failed: ${wordsOf(error)}.`, { cause: error });
  }
  if (code === "ECONNREFUSED") return new AttemptFailure("connection-refused", "The receiver refused the connection.");
  if (code === "ETIMEDOUT") return new AttemptFailure("connect-timeout", "The receiver did not accept the connection.");
  const reason = UNREACHABLE.has(code) ? "unreachable" : LOST.has(code) ? "connection-reset" : "network";
  return new AttemptFailure(reason, `The connection could not be opened: ${wordsOf(error)}.`, { cause: error });
}

/** The failure of an attempt whose connection broke, or was closed, before the head of an answer was complete. */
export function failureToAnswer(error: unknown): AttemptFailure {
  const code = codeOf(error);
  const words = wordsOf(error);
  if (isInvalidHttp(error)) {
    return new AttemptFailure("bad-response", `The answer is not valid HTTP/1.1: ${words}.`, { cause: error });
  }
  if (LOST.has(code) || error instanceof errors.SocketError) {
    const message = "The receiver closed the connection without an answer.";
    return new AttemptFailure("connection-reset", message, { cause: error });
  }
  const reason = code.startsWith("ERR_SSL_") ? "tls" : "network";
  return new AttemptFailure(reason, `The connection failed: ${words}.`, { cause: error });
}

function isInvalidHttp(error: unknown): boolean {
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError ||
    // "bad response" or "bad upgrade": an answer of a kind that was not requested.
    (error instanceof errors.SocketError && error.message.startsWith("bad "))
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The error's message, parts of which may come from the receiver. */
function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const told = /^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/s.exec(words)?.[1] ?? words;
  const printable = told.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return printable.slice(0, MAX_WORDS).replace(/\.$/, "").toWellFormed();
}
