import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { RateGate } from "../rate-gate.ts";
import { newTrace, reqNoOf } from "./trace.ts";

/** Failures told to the log, and calls of unknown applications kept in the request log, in each second at most. */
const LOGGED_PER_SECOND = 50;
const STRANGERS_PER_SECOND = 50;
const MAX_PATH_LENGTH = 512;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether calls of the route are those of applications, which the request log is about. */
    inRequestLog?: boolean;
  }
}

/** Follows every request: a trace from its arrival, and at its end the metrics, the log and the request log. */
export function observeRequests(server: FastifyInstance, ctx: Context): void {
  const logged = new RateGate(LOGGED_PER_SECOND);
  const strangers = new RateGate(STRANGERS_PER_SECOND);

  server.decorateRequest("trace", null as never);
  server.addHook("onRequest", (request, _reply, done) => {
    request.trace = newTrace(ctx.clock.now());
    done();
  });
  server.addHook("onResponse", (request, reply, done) => {
    const { trace, method } = request;
    const durationMs = performance.now() - trace.startedAtMs;
    const { url = "", config } = request.routeOptions;
    ctx.metrics.observe(method, url, trace.code, durationMs);
    if (trace.reason !== null) logFailure(ctx, request, logged);
    if (config.inRequestLog && (trace.appId !== null || strangers.pass(trace.at))) {
      keep(ctx, request, reply, durationMs);
    }
    done();
  });
}

function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf("?");
  return request.url.slice(0, Math.min(end === -1 ? request.url.length : end, MAX_PATH_LENGTH));
}

function logFailure(ctx: Context, request: FastifyRequest, gate: RateGate): void {
  const { trace, method } = request;
  if (!gate.pass(trace.at)) return;
  const { appId, code, reason, failure } = trace;
  const held = gate.takeHeld();
  const line = {
    reqNo: reqNoOf(request),
    appId,
    method,
    path: pathOf(request),
    code,
    reason,
    ...(held > 0 && { held }),
  };
  if (failure === null) ctx.log.info(line, "request refused");
  else ctx.log.error({ ...line, err: failure }, "request failed");
}

function keep(ctx: Context, request: FastifyRequest, reply: FastifyReply, durationMs: number): void {
  const { at, appId, code, reason, canonicalString } = request.trace;
  ctx.requestLog.add({
    reqNo: reqNoOf(request),
    appId,
    at,
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    code,
    durationMs,
    detail: reason === null ? null : { reason, ...(canonicalString !== null && { canonicalString }) },
  });
}
