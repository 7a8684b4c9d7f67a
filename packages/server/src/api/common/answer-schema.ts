import type { Endpoint } from "@portico/protocol/endpoints";
import { apiResultSchema } from "@portico/protocol/schemas";
import type { FastifySchema } from "fastify";

/** The schema by which Fastify writes the answer of an endpoint that answers with an ApiResult. */
export function answerSchema({ value }: Endpoint): FastifySchema {
  return { response: { 200: apiResultSchema(value) } };
}
