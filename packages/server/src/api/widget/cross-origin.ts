import { ApiError, fault } from "@portico/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isAllowedOrigin, isAnyonesOrigin, normalOrigin } from "../../domain/applications/origin-store.ts";
import { sendContainerNotFound } from "../../platform/http/answer.ts";
import type { Context } from "../common/context.ts";

/** What another site's page may send beside what browsers let any page send, and what it may see. */
const ALLOWED_HEADERS = "Authorization, Content-Type";
const EXPOSED_HEADERS = "Retry-After";

/** How long a browser may remember a preflight's answer. Every call is judged all the same. */
const MAX_AGE_SECONDS = 600;

/** Lets the page that called read the answer. */
function allow(reply: FastifyReply, origin: string): void {
  reply.header("access-control-allow-origin", origin).header("access-control-expose-headers", EXPOSED_HEADERS);
}

/** Whether a call comes from a page of the service itself, which is no other site's. */
function isOwnOrigin({ config }: Context, origin: string): boolean {
  return origin === URL.parse(config.baseUrl ?? "")?.origin;
}

/**
 * Judges where a visitor's call comes from: a page on a site that the application allows, or no browser. To be asked of
 * the stream too, which browsers open from anywhere.
 *
 * @throws ApiError 400008 for another site.
 */
export async function checkOrigin(ctx: Context, appId: string, request: FastifyRequest): Promise<void> {
  const { origin } = request.headers;
  if (origin === undefined || isOwnOrigin(ctx, origin)) return;
  if (await isAllowedOrigin(ctx.storage.db, appId, origin)) return;
  throw new ApiError("WIDGET_SITE_NOT_ALLOWED");
}

/**
 * Has the page that called read the answer, if it is on a site that the visitor's application allows.
 *
 * @throws ApiError 400008 for another site.
 */
export async function admitOrigin(
  ctx: Context,
  appId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await checkOrigin(ctx, appId, request);
  if (request.headers.origin !== undefined) allow(reply, request.headers.origin);
}

/**
 * Has a page whose token is nobody's any more learn that, so that it can ask for another. Whose it was is not known, so
 * it is told to any site that some application allows.
 */
export async function admitStranger(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin } = request.headers;
  if (origin !== undefined && (await isAnyonesOrigin(ctx.storage.db, origin))) allow(reply, origin);
}

/** Tells caches that the answer depends on who asks. */
export function varyByOrigin(reply: FastifyReply): void {
  reply.header("vary", "Origin");
}

/**
 * The refusal of a preflight. The page that asks cannot read it: it is for the developer who looks at what the browser got,
 * and for the log.
 */
function refusedPreflight(given: string): ApiError {
  const origin = normalOrigin(given);
  if (origin === null) return new ApiError("WIDGET_ORIGIN_INVALID", { reason: "a preflight of no site" });
  const reason = `no application allows its widget on ${origin}: its owner has to add that to allowedOrigins`;
  return new ApiError(fault("WIDGET_SITE_UNKNOWN", { origin }), { reason });
}

/**
 * Answers the preflights of the given routes, each with its methods (Fetch, section 3.3.4). They carry no token, so what
 * any application allows is answered; other sites are told what to do, in an answer that no page can read. OPTIONS that
 * is no preflight is as if there were no route.
 */
export function preflights(ctx: Context, methodsByUrl: ReadonlyMap<string, readonly string[]>) {
  return async (server: FastifyInstance) => {
    for (const [url, methods] of methodsByUrl) {
      server.route({
        method: "OPTIONS",
        url,
        schema: { hide: true },
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
