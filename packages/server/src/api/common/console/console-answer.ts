import type { FastifyReply, FastifyRequest } from "fastify";
import { sendText } from "../../../platform/http/answer.ts";
import { writeJson } from "../../../platform/http/json-text.ts";

/** Answers with `value`, which may hold JsonTexts, in no envelope. Answers hold tokens and secrets: no cache may keep them. */
export function sendConsoleJson(request: FastifyRequest, reply: FastifyReply, value: unknown): FastifyReply {
  request.trace.code = String(reply.statusCode);
  reply.header("cache-control", "no-store").header("content-type", "application/json; charset=utf-8");
  return sendText(reply, writeJson(value));
}

/** Answers with nothing: it has been done. */
export function sendNoContent(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.trace.code = "204";
  return reply.code(204).header("cache-control", "no-store").send();
}
