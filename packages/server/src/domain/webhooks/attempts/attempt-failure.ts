import type { DeliveryFailure } from "@portico/protocol";
import type { AddressRefused, RefusalCode } from "../../../platform/network/address-guard.ts";
import { codeOf, isLoss, wordsOf } from "../../../platform/network/connection-failure.ts";
import { wordsOfRefusal } from "./callback-refusal.ts";
import { InvalidAnswer } from "./invalid-answer.ts";

/** Why a delivery attempt got no answer. */
export type FailureReason =
  | DeliveryFailure
  /** This service is overloaded. Not recorded, because it says nothing about the receiver. */
  | "busy"
  /** The service cancelled the attempt. Not recorded either. */
  | "aborted";

/** An attempt without an answer. The message is for the receiver's developer. */
export class AttemptFailure extends Error {
  override readonly name = "AttemptFailure";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The failure of an attempt whose address is refused, or could not be resolved. */
export function failureOfAddress(error: AddressRefused): AttemptFailure {
  return new AttemptFailure(REASON_OF_ADDRESS[error.code], wordsOfRefusal(error), { cause: error });
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

/**
 * The failure of an attempt whose connection broke, or was closed, before the head of an answer was complete.
 *
 * @param isBegun whether a part of the head had arrived.
 */
export function failureToAnswer(error: unknown, isBegun: boolean): AttemptFailure {
  const words = wordsOf(error);
  if (error instanceof InvalidAnswer) {
    return new AttemptFailure("bad-response", `The answer is not valid HTTP/1.1: ${words}.`, { cause: error });
  }
  if (isLoss(error)) {
    const where = isBegun ? "within the head of its answer" : "without an answer";
    const message = `The receiver closed the connection ${where}.`;
    return new AttemptFailure("connection-reset", message, { cause: error });
  }
  const reason = codeOf(error).startsWith("ERR_SSL_") ? "tls" : "network";
  return new AttemptFailure(reason, `The connection failed: ${words}.`, { cause: error });
}
