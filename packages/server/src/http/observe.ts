import type { FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { RateGate } from "../rate-gate.ts";
import { newTrace, reqNoOf } from "./trace.ts";

/** Refusals told to the log, and refusals of unknown callers kept in the request log, in each second at most. */
const LOGGED_REFUSALS_PER_SECOND = 50;
const STRANGERS_PER_SECOND = 50;

/** Follows every request: a trace from its arrival, and at its end the metrics, the log and the request log. */
export function observeRequests(server: FastifyInstance, ctx: Context): void {
  const logged = new RateGate(LOGGED_REFUSALS_PER_SECOND);
  const strangers = new RateGate(STRANGERS_PER_SECOND);

  server.decorateRequest("trace", null as never);
  server.addHook("onRequest", (request, _reply, done) => {
    request.trace = newTrace(ctx.clock.now());
    done();
  });
  server.addHook("onResponse", (request, reply, done) => {
    const { trace, method } = request;
    const { at, appId, code, reason, canonicalString } = trace;
    const durationMs = performance.now() - trace.startedAtMs;
    const route = request.routeOptions.url;
    ctx.metrics.observe(method, route ?? "", code, durationMs);
    if (route?.startsWith("/api/open/")) {
      const reqNo = reqNoOf(request);
      const path = request.url.split("?", 1)[0] ?? "";
      if (reason !== null && logged.pass(at)) {
        const unlogged = logged.takeHeld();
        ctx.log.info({ reqNo, appId, method, path, code, reason, ...(unlogged > 0 && { unlogged }) }, "call refused");
      }
      if (appId !== null || strangers.pass(at)) {
        const detail = reason === null ? null : { reason, ...(canonicalString !== null && { canonicalString }) };
        const status = reply.statusCode;
        ctx.requestLog.add({ reqNo, appId, at, method, path, status, code, durationMs, detail });
      }
    }
    done();
  });
}
