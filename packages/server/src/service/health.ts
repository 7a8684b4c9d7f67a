import type { FastifyInstance } from "fastify";
import { sendContainerNotFound } from "../platform/http/answer.ts";
import type { Context } from "./context.ts";
import type { Departure } from "./departure.ts";
import { metricsRoute } from "./metrics-endpoint.ts";

/** The longest time that a readiness check waits for a dependency. */
const READY_WITHIN_MS = 3_000;

/** `/healthz`, `/readyz`, and `/metrics` if it has no port of its own. */
export function healthRoutes(ctx: Context, departure: Departure) {
  const checks = {
    database: shared(() => ctx.storage.ping()),
    coordination: shared(() => ctx.coordination.ping()),
    disk: () => ctx.freeSpace.ping(),
    stopping: async () => {
      if (departure.hasBegun) throw new Error("the process is to stop");
    },
    schema: async () => {
      if (ctx.retirement.reason !== null) throw new Error(ctx.retirement.reason);
    },
  };
  const failures = async () => {
    const outcomes = Object.entries(checks).map(async ([name, check]) => {
      try {
        await within(READY_WITHIN_MS, check());
        return [];
      } catch (error) {
        ctx.log.warn({ reason: error instanceof Error ? error.message : error }, `not ready: ${name}`);
        return [name];
      }
    });
    return (await Promise.all(outcomes)).flat();
  };
  return async (server: FastifyInstance) => {
    // In one spelling only: what keeps these paths from the public compares texts, and may not decode them.
    server.addHook("onRequest", (request, reply, done) => {
      if (request.originalUrl.split("?", 1)[0] === request.routeOptions.url) done();
      else sendContainerNotFound(request, reply, ctx.clock.now());
    });
    server.get("/healthz", async () => ({ status: "ok" }));
    server.get("/readyz", async (_request, reply) => {
      const failed = await failures();
      if (failed.length > 0) return reply.code(503).send({ status: "unavailable", failed });
      return { status: "ready" };
    });
    if (ctx.config.metrics.port === null) server.get("/metrics", metricsRoute(ctx));
  };
}

/**
 * Shares one run of `check` among all callers that arrive while it runs: the route is public, and each run uses
 * connections.
 */
function shared(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= check().finally(() => {
      running = null;
    });
    return running;
  };
}

async function within(ms: number, check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
}
