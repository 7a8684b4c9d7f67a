import type { FastifyReply, FastifyRequest } from "fastify";
import { sendText } from "../../../platform/http/answer.ts";
import { writeJson } from "../../../platform/http/json-text.ts";

/**
 * Sends `value` (which may contain JsonTexts) without an envelope. Answers contain tokens and secrets, so caches must
 * not store them.
 */
export function sendConsoleJson(request: FastifyRequest, reply: FastifyReply, value: unknown): FastifyReply {
  request.trace.code = String(reply.statusCode);
  reply.header("cache-control", "no-store").header("content-type", "application/json; charset=utf-8");
  return sendText(reply, writeJson(value));
}

/** Sends an empty success (204). */
export function sendNoContent(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.trace.code = "204";
  return reply.code(204).header("cache-control", "no-store").send();
}
