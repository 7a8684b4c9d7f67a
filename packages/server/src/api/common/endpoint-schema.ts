import type { Endpoint } from "@portico/protocol/endpoints";
import { apiResultSchema, FileFormSchema } from "@portico/protocol/schemas";
import type { FastifySchema } from "fastify";

/** The schema, for Fastify and the API's description, of an endpoint that answers with an ApiResult. */
export function endpointSchema({ summary, takesFile, body, query, value }: Endpoint): FastifySchema {
  return {
    summary,
    ...(takesFile && { consumes: ["multipart/form-data"], body: FileFormSchema }),
    ...(body && { body }),
    ...(query && { querystring: query }),
    response: { 200: apiResultSchema(value) },
  };
}
