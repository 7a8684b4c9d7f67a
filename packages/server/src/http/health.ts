import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";

/** `/healthz`, `/readyz` and `/metrics` (design, section 3). */
export function healthRoutes(ctx: Context) {
  return async (server: FastifyInstance) => {
    server.get("/healthz", { schema: { hide: true } }, async () => ({ status: "ok" }));
    server.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
      const checks = { database: ctx.storage.ping(), coordination: ctx.coordination.ping() };
      const failures = Object.entries(checks).map(([name, check]) =>
        check.then(
          () => [],
          (error: unknown) => {
            ctx.log.warn({ reason: error instanceof Error ? error.message : error }, `not ready: ${name}`);
            return [name];
          },
        ),
      );
      const failed = (await Promise.all(failures)).flat();
      if (failed.length > 0) return reply.code(503).send({ status: "unavailable", failed });
      return { status: "ready" };
    });
    server.get("/metrics", { schema: { hide: true } }, async (_request, reply) =>
      reply.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics()),
    );
  };
}
