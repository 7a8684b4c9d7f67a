import { Cancellation } from "../../../platform/network/cancellation.ts";
import { aborted, type ConnectionFailure } from "../../../platform/network/connection-failure.ts";
import type { DialRecord } from "../../../platform/network/dial.ts";
import { answerText } from "./answer-text.ts";
import { AttemptFailure, type FailureReason, failureToAnswer } from "./attempt-failure.ts";
import type { AttemptResult } from "./attempt-result.ts";
import type { Exchanged } from "./connection.ts";
import { type Exchange, type ExchangeEnd, MAX_ANSWER_BYTES } from "./exchange.ts";
import { InvalidAnswer } from "./invalid-answer.ts";

/** The state of a running attempt. */
export class RunningAttempt {
  readonly cancellation = new Cancellation();
  readonly dial: DialRecord = { address: null, dnsMs: null, connectMs: null, tlsMs: null };
  readonly #at: number;
  readonly #startedAt = performance.now();

  constructor(at: number) {
    this.#at = at;
  }

  failed(reason: FailureReason, detail: string, firstByteMs: number | null = null): AttemptResult {
    return this.#result({ status: null, reason, detail, firstByteMs, answer: "" });
  }

  async answered({ exchange, firstByteMs }: Exchanged, readTimeoutMs: number): Promise<AttemptResult> {
    const { status, end, error } = exchange;
    if (status !== null) {
      const detail = end === null ? null : problemOfBody(exchange, end);
      const answer = await answerText(exchange.body, exchange.encoding);
      return this.#result({ status, reason: null, detail, firstByteMs, answer });
    }
    const { reason, message } =
      end === "broken" ? failureToAnswer(error, firstByteMs !== null) : cutBeforeHead(exchange, readTimeoutMs);
    return this.failed(reason, message, firstByteMs);
  }

  #result(rest: Pick<AttemptResult, "status" | "reason" | "detail" | "answer"> & { firstByteMs: number | null }) {
    const { dnsMs, connectMs, tlsMs, address } = this.dial;
    const { status, reason, detail, firstByteMs, answer } = rest;
    const durationMs = Math.round(performance.now() - this.#startedAt);
    const phases = {
      dnsMs: tenths(dnsMs),
      connectMs: tenths(connectMs),
      tlsMs: tenths(tlsMs),
      firstByteMs: tenths(firstByteMs),
    };
    return { at: this.#at, address, status, reason, detail, durationMs, phases, answer };
  }
}

const BODY_ENDS = {
  complete: null,
  deadline: "The time was up before the body of the answer was complete.",
  "too-long": `The answer was longer than ${MAX_ANSWER_BYTES} bytes and was not read further.`,
  cancelled: "The reading of the answer's body was broken off.",
  broken: "The connection broke within the body of the answer.",
};

/** What was wrong with an answer after its head, in words; null when nothing was. */
function problemOfBody({ error, isOverrun }: Exchange, end: ExchangeEnd): string | null {
  if (error instanceof InvalidAnswer) return `The body of the answer is not valid HTTP/1.1: ${error.message}.`;
  if (isOverrun) return "More bytes came than belong to the answer; they were not read.";
  return BODY_ENDS[end];
}

function cutBeforeHead({ end, firstByteAt }: Exchange, readTimeoutMs: number): AttemptFailure | ConnectionFailure {
  if (end === "deadline") {
    const problem = firstByteAt === null ? "No answer came" : "The head of the answer was not complete";
    return new AttemptFailure("read-timeout", `${problem} within ${readTimeoutMs} ms.`);
  }
  if (end === "too-long") {
    return new AttemptFailure("bad-response", `The head of the answer is longer than ${MAX_ANSWER_BYTES} bytes.`);
  }
  return aborted();
}

function tenths(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
