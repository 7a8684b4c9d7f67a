import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";

/** `/healthz`, `/readyz` and `/metrics` (design, section 3). */
export function healthRoutes(ctx: Context) {
  return async (server: FastifyInstance) => {
    server.get("/healthz", { schema: { hide: true } }, async () => ({ status: "ok" }));
    server.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
      const checks = { database: ctx.storage.ping(), coordination: ctx.coordination.ping() };
      const failed: string[] = [];
      for (const [name, check] of Object.entries(checks)) {
        await check.catch((error: unknown) => {
          ctx.log.warn({ err: error }, `not ready: ${name}`);
          failed.push(name);
        });
      }
      if (failed.length > 0) return reply.code(503).send({ status: "unavailable", failed });
      return { status: "ready" };
    });
    server.get("/metrics", { schema: { hide: true } }, async (_request, reply) =>
      reply.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics()),
    );
  };
}
