import { ApiError, fault } from "@portico/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isAllowedOrigin, isAnyonesOrigin, normalOrigin } from "../../domain/applications/origin-store.ts";
import { sendContainerNotFound } from "../../platform/http/answer.ts";
import type { RouteParts } from "../common/parts.ts";
import type { OriginParts } from "./parts.ts";

/** The request headers allowed for other sites in addition to the CORS-safelisted ones. */
const ALLOWED_HEADERS = "Authorization, Content-Type";
const EXPOSED_HEADERS = "Retry-After";

/** How long a browser may cache a preflight's answer. Every call is checked nevertheless. */
const MAX_AGE_SECONDS = 600;

/** Allows the calling page to read the answer. */
function allow(reply: FastifyReply, origin: string): void {
  reply.header("access-control-allow-origin", origin).header("access-control-expose-headers", EXPOSED_HEADERS);
}

/** Whether a call comes from a page of the service itself. */
export function isOwnOrigin({ config }: OriginParts, origin: string): boolean {
  return origin === URL.parse(config.baseUrl ?? "")?.origin;
}

/**
 * Checks the origin of a visitor's call: a page on a site that the application allows, or no browser. Needed for
 * streams as well, because browsers open WebSockets from any origin.
 *
 * @throws ApiError 400008 for another site.
 */
export async function checkOrigin(ctx: OriginParts, appId: string, origin: string | undefined): Promise<void> {
  if (origin === undefined || isOwnOrigin(ctx, origin)) return;
  if (await isAllowedOrigin(ctx.storage.db, appId, origin)) return;
  throw new ApiError("WIDGET_SITE_NOT_ALLOWED");
}

/**
 * Allows the calling page to read the answer, if the visitor's application allows its site.
 *
 * @throws ApiError 400008 for another site.
 */
export async function admitOrigin(
  ctx: OriginParts,
  appId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = request.headers;
  await checkOrigin(ctx, appId, origin);
  if (origin !== undefined) allow(reply, origin);
}

/**
 * Allows a page with an invalid token to read the error, so that it can request another token. The token's application
 * is unknown, so every site that any application allows may read it.
 */
export async function admitStranger(
  { storage }: RouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = request.headers;
  if (origin !== undefined && (await isAnyonesOrigin(storage.db, origin))) allow(reply, origin);
}

/** Tells caches that the answer depends on the Origin header. */
export function varyByOrigin(reply: FastifyReply): void {
  reply.header("vary", "Origin");
}

/**
 * The error for a refused preflight. The page cannot read it: it is for the developer who inspects the traffic, and for
 * the log.
 */
function refusedPreflight(given: string): ApiError {
  const origin = normalOrigin(given);
  if (origin === null) return new ApiError("WIDGET_ORIGIN_INVALID", { reason: "a preflight of no site" });
  const reason = `no application allows its widget on ${origin}: its owner has to add that to allowedOrigins`;
  return new ApiError(fault("WIDGET_SITE_UNKNOWN", { origin }), { reason });
}

/**
 * Answers the preflights of the given routes, each with its methods (Fetch, section 3.3.4). Preflights carry no token,
 * so every site that any application allows is accepted. Other sites get an explanation that no page can read. An
 * OPTIONS request that is not a preflight is answered as if there were no route.
 */
export function preflights(ctx: RouteParts, methodsByUrl: ReadonlyMap<string, readonly string[]>) {
  return async (server: FastifyInstance) => {
    for (const [url, methods] of methodsByUrl) {
      server.route({
        method: "OPTIONS",
        url,
        handler: async (request, reply) => {
          varyByOrigin(reply);
          const { origin, "access-control-request-method": wanted } = request.headers;
          const isPreflight = origin !== undefined && wanted !== undefined;
          if (!isPreflight) return sendContainerNotFound(request, reply, ctx.clock.now());
          if (!(await isAnyonesOrigin(ctx.storage.db, origin))) throw refusedPreflight(origin);
          request.trace.code = "204";
          return reply
            .code(204)
            .header("access-control-allow-origin", origin)
            .header("access-control-allow-headers", ALLOWED_HEADERS)
            .header("access-control-allow-methods", methods.join(", "))
            .header("access-control-max-age", MAX_AGE_SECONDS)
            .send();
        },
      });
    }
  };
}
