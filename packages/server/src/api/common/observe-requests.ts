import { ERRORS } from "@portico/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RecentCalls } from "../../domain/requests/recent-calls.ts";
import { RefusedCalls, type RefusedCallsParts } from "../../domain/requests/refused-calls.ts";
import type { RequestRecord } from "../../domain/requests/request-store.ts";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { FreeSpace } from "../../platform/disk/free-space.ts";
import { trustedPeers } from "../../platform/http/client-address.ts";
import { newTrace, reqNoOf, type Trace } from "../../platform/http/trace.ts";
import { RateLimiter } from "../../platform/limits/rate-limiter.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { TracedSpan, Tracing } from "../../platform/tracing/tracing.ts";

/** What observing requests needs. */
interface ObserverParts extends RefusedCallsParts {
  clock: Clock;
  config: Pick<Config, "trustedProxies">;
  freeSpace: FreeSpace;
  metrics: Metrics;
  recentCalls: RecentCalls;
  /** Null: calls are not traced. */
  tracing: Tracing | null;
}

/**
 * The most failures logged per second, and of those the most for a full disk, since the log may be on the same disk.
 */
const LOGGED_PER_SECOND = 50;
const NO_ROOM_LOGGED_PER_SECOND = 1;
const MAX_PATH_LENGTH = 512;
/** What supervisors ask every few seconds. */
const UNTRACED: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether calls of the route are applications' calls, which the request log records. */
    inRequestLog?: boolean;
  }
}

/** Observes every request: a trace from its arrival, and at its end metrics, log and request log. */
export function observeRequests(server: FastifyInstance, ctx: ObserverParts): void {
  const logged = new RateLimiter(LOGGED_PER_SECOND);
  const noRoomLogged = new RateLimiter(NO_ROOM_LOGGED_PER_SECOND);
  const refused = new RefusedCalls(ctx);
  const isTrusted = trustedPeers(ctx.config);

  server.decorateRequest("trace", null as never);
  const ended = (request: FastifyRequest, reply: FastifyReply) => {
    const { trace, method } = request;
    const durationMs = performance.now() - trace.startedAtMs;
    const { url = "", config } = request.routeOptions;
    ctx.metrics.observe(method, url, countedAs(trace), durationMs);
    if (trace.refusal?.check === "quota" && trace.refusal.details !== null) {
      ctx.metrics.countQuotaRefusal(trace.refusal.details.exceeded);
    }
    ctx.recentCalls.add({ at: trace.at, method, route: url, status: reply.statusCode, durationMs });
    if (trace.reason !== null) logFailure(ctx, request, ctx.freeSpace.accepts("message") ? logged : noRoomLogged);
    if (config.inRequestLog) {
      const record = recordOf(request, reply, durationMs);
      if (trace.reason === null) ctx.requestLog.add(record);
      else refused.keep(request, record, trace.reason);
    }
    endSpan(request, reply);
  };
  server.addHook("onRequest", (request, reply, done) => {
    request.trace = newTrace(ctx.clock.now());
    // Fastify does not report an answer that was not sent completely.
    reply.raw.once("close", () => {
      const { failure, isLost } = request.trace;
      if (!reply.raw.writableFinished && (failure !== null || isLost)) ended(request, reply);
    });
    const span = beginSpan(ctx.tracing, request, isTrusted);
    if (span === null) return done();
    request.trace.span = span;
    span.within(done);
  });
  server.addHook("onResponse", (request, reply, done) => {
    ended(request, reply);
    done();
  });
}

/**
 * Null for what is not traced: streams, which last, and the looks of supervisors. Only a trusted proxy names a trace to
 * belong to: anybody else could have every call of theirs exported, whatever the sampler, until others find no room.
 */
function beginSpan(
  tracing: Tracing | null,
  request: FastifyRequest,
  isTrusted: (raw: FastifyRequest["raw"]) => boolean,
): TracedSpan | null {
  if (tracing === null) return null;
  const { method, headers } = request;
  const { url = "" } = request.routeOptions;
  if (UNTRACED.has(url) || headers.upgrade !== undefined) return null;
  return tracing.call(`${method} ${url}`.trimEnd(), isTrusted(request.raw) ? headers : {}, {
    "http.request.method": method,
    "http.route": url,
    "portico.req_no": reqNoOf(request),
  });
}

function endSpan({ trace }: FastifyRequest, reply: FastifyReply): void {
  const { span, app, code, failure } = trace;
  if (span === null) return;
  span.set({
    "http.response.status_code": reply.statusCode,
    "portico.code": code,
    ...(app !== null && { "portico.app_id": app.appId }),
  });
  if (failure !== null) span.fail(failure instanceof Error ? failure.name : "Error");
  span.end();
  trace.span = null;
}

/** The code for the metrics: a broken rule must not count as an internal error and raise an alert. */
function countedAs({ code, failure, refusal }: Trace): string {
  const isRule = code === ERRORS.INTERNAL.code && failure === null && refusal?.check === "business";
  return isRule ? `${code} ${refusal.details?.rule}` : code;
}

function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf("?");
  return request.url.slice(0, Math.min(end === -1 ? request.url.length : end, MAX_PATH_LENGTH));
}

function logFailure({ log }: ObserverParts, request: FastifyRequest, gate: RateLimiter): void {
  const { trace, method } = request;
  if (!gate.pass(trace.at)) return;
  const { app, code, reason, failure } = trace;
  const held = gate.takeRejected();
  const line = {
    reqNo: reqNoOf(request),
    appId: app?.appId ?? null,
    method,
    path: pathOf(request),
    code,
    reason,
    ...trace.span?.ids,
    ...(held > 0 && { held }),
  };
  if (failure === null) log.info(line, "request refused");
  else log.error({ ...line, err: failure }, "request failed");
}

function recordOf(request: FastifyRequest, reply: FastifyReply, durationMs: number): RequestRecord {
  const { app, at, code } = request.trace;
  return {
    reqNo: reqNoOf(request),
    appId: app?.appId ?? null,
    at,
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    code,
    durationMs: Math.round(durationMs),
    detail: null,
  };
}
