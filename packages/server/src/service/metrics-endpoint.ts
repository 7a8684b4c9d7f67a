import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../platform/config/config.ts";
import { ConfigError } from "../platform/config/config-error.ts";
import type { Context } from "./context.ts";

const PATH = "/metrics";
/** Limits for the port of its own, which nobody but a collector should reach. */
const MOST_CONNECTIONS = 50;
const REQUEST_TIMEOUT_MS = 10_000;

/** The answer to a request for the metrics. */
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers on the service's own port. */
export function metricsRoute(ctx: Context) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { status, headers, body } = await answerTo(request.headers.authorization, ctx);
    return reply.code(status).headers(headers).send(body);
  };
}

/** The metrics on a port of their own, by plain http. */
export interface MetricsServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the metrics, and nothing else, on `metrics.port` of the service's host; null without one.
 *
 * @throws ConfigError when the port is taken.
 */
export async function openMetricsServer(ctx: Context): Promise<MetricsServer | null> {
  const { config } = ctx;
  if (config.metrics.port === null) return null;
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, async (request, response) => {
    const [path] = (request.url ?? "").split("?", 1);
    const isAsked = path === PATH && (request.method === "GET" || request.method === "HEAD");
    const answer = isAsked ? answerTo(request.headers.authorization, ctx) : NOT_FOUND;
    const { status, headers, body } = await Promise.resolve(answer).catch((error: unknown) => {
      ctx.log.error({ err: error }, "the metrics could not be read");
      return FAILED;
    });
    response.writeHead(status, headers).end(body);
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listening(server, config.metrics.port, config.host);
  // Later faults, such as too many open files, concern one connection.
  server.on("error", (error) => ctx.log.warn({ err: error }, "the port of the metrics had a fault"));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}${PATH}`, close };
}

const NOT_FOUND: Answer = { status: 404, headers: { "content-type": "text/plain" }, body: `only ${PATH} is here\n` };

const FAILED: Answer = { status: 500, headers: { "content-type": "text/plain" }, body: "see the log\n" };

async function answerTo(authorization: string | undefined, { config, metrics }: Context): Promise<Answer> {
  const { token } = config.metrics;
  if (token !== null && !isBearer(authorization, token)) {
    const headers = { "content-type": "text/plain", "www-authenticate": 'Bearer realm="metrics"' };
    return { status: 401, headers, body: "send the token of PORTICO_METRICS_TOKEN as a Bearer token\n" };
  }
  const { contentType } = metrics.registry;
  return { status: 200, headers: { "content-type": contentType }, body: await metrics.registry.metrics() };
}

/** Compares digests, so that neither the content nor the length can be found out by measuring. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

async function listening(server: Server, port: number, host: Config["host"]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, host, resolve);
  try {
    await promise;
    server.off("error", reject);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new ConfigError(`cannot listen on ${host} port ${port} (${reason}): set PORTICO_METRICS_PORT`);
  }
}
