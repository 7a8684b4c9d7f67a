import { Readable } from "node:stream";
import { ApiError, ERRORS, failure, SUCCESS_CODE, success } from "@portico/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isDiskFull } from "../disk/disk-full.ts";
import { noRoom } from "../disk/free-space.ts";
import { Refusal, refusalOf } from "../errors/refusal.ts";
import { outageBehind } from "../errors/unavailable.ts";
import { envelopeInPieces, type InSlices, wholeEnvelope } from "./in-slices.ts";
import { writeJson } from "./json-text.ts";
import { SMALL_ANSWER_BYTES } from "./large-answers.ts";
import { RequestAborted } from "./raw-body.ts";
import { inPieces, SlicedBody } from "./sliced-body.ts";
import { reqNoOf } from "./trace.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Answers with `value` in a successful envelope. */
export function sendSuccess(request: FastifyRequest, reply: FastifyReply, value: unknown): FastifyReply {
  const envelope = success(value, reqNoOf(request));
  request.trace.code = envelope.code;
  return reply.header("content-type", JSON_TYPE).send(JSON.stringify(envelope));
}

/** Like {@link sendSuccess}, for a value that contains JSON to be inserted unchanged. */
export function sendJsonText(request: FastifyRequest, reply: FastifyReply, value: unknown): FastifyReply {
  const envelope = success(value, reqNoOf(request));
  request.trace.code = envelope.code;
  return sendText(reply.header("content-type", JSON_TYPE), writeJson(envelope));
}

/** Sends a text unchanged; a long one in pieces, at the pace of the reader. */
export function sendText(reply: FastifyReply, text: string): FastifyReply {
  if (text.length <= SMALL_ANSWER_BYTES) return reply.send(text);
  const bytes = Buffer.from(text);
  return sendWhole(reply, [bytes], bytes.length);
}

/** Sends a body of `length` bytes that has been read completely; a long one in pieces, at the pace of the reader. */
function sendWhole(reply: FastifyReply, parts: Buffer[], length: number): FastifyReply {
  const [whole] = parts;
  if (length <= SMALL_ANSWER_BYTES) return reply.send(parts.length === 1 ? whole : Buffer.concat(parts, length));
  return reply.header("content-length", length).send(Readable.from(parts.flatMap((part) => [...inPieces(part)])));
}

/**
 * Like {@link sendJsonText}, for a list that is read while it is sent. An error before the first piece is sent is
 * answered as usual; a later one closes the connection in the middle of the body, so that the client sees an incomplete
 * answer.
 */
export async function sendInSlices(
  request: FastifyRequest,
  reply: FastifyReply,
  value: InSlices<never>,
): Promise<FastifyReply> {
  if (value.whole !== null) {
    request.trace.code = SUCCESS_CODE;
    reply.header("content-type", JSON_TYPE);
    // Node writes a text together with the head; bytes would follow it.
    if (typeof value.whole === "string") return sendText(reply, wholeEnvelope(value, value.whole, reqNoOf(request)));
    const bytes = wholeEnvelope(value, value.whole, reqNoOf(request));
    return sendWhole(reply, [bytes], bytes.length);
  }
  const pieces = envelopeInPieces(value, reqNoOf(request));
  const begun: Buffer[] = [];
  for (let length = 0; value.isOne || length <= SMALL_ANSWER_BYTES; ) {
    const piece = await pieces.next();
    if (piece.done) {
      request.trace.code = SUCCESS_CODE;
      return sendWhole(reply.header("content-type", JSON_TYPE), begun, length);
    }
    const bytes = piece.value.take();
    begun.push(bytes);
    length += bytes.length;
  }
  request.trace.code = SUCCESS_CODE;
  const body = new SlicedBody(begun, pieces, (error) => breakOff(request, reply, error));
  return reply.header("content-type", JSON_TYPE).send(body);
}

/** Logs a failure that happened after the status line of an answer was sent. */
function breakOff({ trace }: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const { status, code } = ERRORS.INTERNAL;
  reply.raw.statusCode = status;
  trace.code = code;
  trace.reason = "the answer broke off in the middle";
  trace.refusal = { check: "internal", details: null };
  trace.failure = error;
}

/** Answers with the row of the error tables for `error`; an unknown error is an internal one. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = asApiError(error);
  const reqNo = reqNoOf(request);
  const { trace } = request;
  trace.code = refusal.code;
  trace.reason ??= refusal.reason ?? refusal.message;
  trace.refusal ??= refusalOf(refusal);
  if (refusal instanceof Refusal) trace.inquire = refusal.inquire ?? null;
  // The contract answers one broken rule as an internal error.
  if (refusal.kind === "INTERNAL" && trace.refusal.check === "internal") trace.failure = refusal.cause ?? refusal;
  if (refusal.retryAfterSeconds !== undefined) reply.header("retry-after", refusal.retryAfterSeconds);
  return reply
    .code(refusal.status)
    .header("content-type", JSON_TYPE)
    .send(JSON.stringify(failure(refusal.code, refusal.message, reqNo)));
}

/** Answers a request that matches no route (docs/contract/README.md#in-every-answer). */
export function sendContainerNotFound(request: FastifyRequest, reply: FastifyReply, now: number): FastifyReply {
  request.trace.code = "404";
  const path = request.url.split("?", 1)[0];
  const body = { timestamp: new Date(now).toISOString(), status: 404, error: "Not Found", path };
  return reply.code(404).header("content-type", JSON_TYPE).send(JSON.stringify(body));
}

/** Fastify's own errors, by code. Every other unknown error is an internal one. */
const FRAMEWORK_ERRORS: Record<string, keyof typeof ERRORS> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_EMPTY_JSON_BODY: "INVALID_REQUEST",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "INVALID_REQUEST",
};

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof RequestAborted) {
    return new Refusal("INVALID_REQUEST", { check: "connection", details: null }, { reason: error.message });
  }
  if (isDiskFull(error)) return noRoom(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const kind = FRAMEWORK_ERRORS[code];
  return kind ? new ApiError(kind, { reason: code }) : internalError(error);
}

/** Adds `Retry-After` when the error comes from a dependency that is unavailable. */
function internalError(cause: unknown): ApiError {
  const retryAfterSeconds = outageBehind(cause)?.retryAfterSeconds;
  return new ApiError("INTERNAL", { cause, ...(retryAfterSeconds && { retryAfterSeconds }) });
}
