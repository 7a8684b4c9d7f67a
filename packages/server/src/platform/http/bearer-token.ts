import type { FastifyRequest } from "fastify";

/** The Bearer token of the request (RFC 6750, section 2.1); empty when there is none. */
export function bearerToken(request: FastifyRequest): string {
  // The scheme is case-insensitive (RFC 9110, section 11.1).
  return /^Bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
}
