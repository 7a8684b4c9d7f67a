import type { FastifyRequest } from "fastify";
import type { CallOrigin } from "../../domain/accounts/developer.ts";

const MAX_USER_AGENT_LENGTH = 256;

/** Where the request came from. */
export function originOf(request: FastifyRequest): CallOrigin {
  const userAgent = (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT_LENGTH);
  return { address: request.clientAddress, userAgent };
}

/**
 * Whether a page of another site had the browser send this. Calls that need no token but set or remove a login's cookie
 * are then refused; otherwise that site could make a browser work in a login of its own (login CSRF). Browsers say where a
 * request comes from (W3C Fetch Metadata, section 2.3).
 */
export function isFromOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"] ?? "none";
  return site !== "none" && site !== "same-origin";
}
