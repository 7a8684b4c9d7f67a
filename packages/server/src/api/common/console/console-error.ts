import { STATUS_CODES } from "node:http";
import {
  ApiError,
  type ApiErrorOptions,
  CONSOLE_ERRORS,
  type ConsoleErrorBody,
  type ConsoleErrorCode,
  type Stated,
  wordsOf,
} from "@portico/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isDiskFull } from "../../../platform/disk/disk-full.ts";
import { noRoom } from "../../../platform/disk/free-space.ts";
import { outageBehind } from "../../../platform/errors/unavailable.ts";
import { RequestAborted } from "../../../platform/http/raw-body.ts";
import { sendConsoleJson } from "./console-answer.ts";

/** A refusal of the console API that has no row in the open API's error table. */
export class ConsoleError extends Error {
  override readonly name = "ConsoleError";
  readonly errorCode: ConsoleErrorCode;
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(stated: Stated<ConsoleErrorCode>, options: ApiErrorOptions = {}) {
    const { errorCode, message } = wordsOf<ConsoleErrorCode>(stated);
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.errorCode = errorCode;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return CONSOLE_ERRORS[this.errorCode].status;
  }
}

/** Answers in the console's error format (docs/contract/console.md#refusals); unknown errors reveal no details. */
export function sendConsoleFailure(request: FastifyRequest, reply: FastifyReply, error: unknown, now: number) {
  const { status, message, errorCode, reason = message, retryAfterSeconds } = refusalOf(error);
  const { trace } = request;
  trace.reason ??= reason;
  if (status === 500) trace.failure = error instanceof ApiError ? (error.cause ?? error) : error;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
  const path = request.url.split("?", 1)[0] ?? "";
  const timestamp = new Date(now).toISOString();
  const body: ConsoleErrorBody = { timestamp, status, error: STATUS_CODES[status] ?? "", message, path, errorCode };
  return sendConsoleJson(request, reply.code(status), body);
}

/** All messages come from the tables; the types of both errors allow no others. */
function refusalOf(error: unknown): ConsoleError | ApiError {
  if (error instanceof ConsoleError || error instanceof ApiError) return error;
  if (isDiskFull(error)) return noRoom(error);
  if (error instanceof RequestAborted) return new ApiError("INVALID_REQUEST", { reason: error.message });
  // Fastify's own error for an invalid Content-Type.
  const unsupported = error instanceof Error && "code" in error && error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
  if (unsupported) return new ApiError("UNSUPPORTED_MEDIA_TYPE");
  const retryAfterSeconds = outageBehind(error)?.retryAfterSeconds;
  return new ApiError("INTERNAL", { cause: error, ...(retryAfterSeconds && { retryAfterSeconds }) });
}
