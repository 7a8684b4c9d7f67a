import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { originForm } from "@portico/protocol";
import { STREAM_PATHS } from "@portico/protocol/endpoints";
import type { Schema } from "fast-json-stringify";
import Fastify, { type FastifyInstance } from "fastify";
import { messengerRoutes } from "../api/client/routes.ts";
import { separateHosts } from "../api/common/hosts.ts";
import { observeRequests } from "../api/common/observe-requests.ts";
import { paceRefusals } from "../api/common/pace-refusals.ts";
import { consoleRoutes } from "../api/console/routes.ts";
import { deskRoutes } from "../api/desk/routes.ts";
import { fileRoutes } from "../api/files/serve-file.ts";
import { botRoutes } from "../api/open/bot/routes.ts";
import { customerRoutes } from "../api/open/customer-service/routes.ts";
import { miniappRoutes } from "../api/open/mini-programs/routes.ts";
import { operatorRoutes } from "../api/operator/routes.ts";
import type { BuiltPages } from "../api/pages/built-pages.ts";
import { imageProxy } from "../api/pages/image-proxy.ts";
import { pageRoutes } from "../api/pages/routes.ts";
import { referenceRoutes } from "../api/reference/routes.ts";
import { scimRoutes } from "../api/scim/routes.ts";
import { widgetRoutes } from "../api/widget/routes.ts";
import { sendContainerNotFound, sendFailure } from "../platform/http/answer.ts";
import { type CertificateFiles, TLS } from "../platform/http/certificate-files.ts";
import { identifyClients } from "../platform/http/client-address.ts";
import { MalformedHttpAnswerer } from "../platform/http/client-error.ts";
import type { ConnectionLimit } from "../platform/http/connection-limit.ts";
import { refuseWhenRetired } from "../platform/http/refuse-when-retired.ts";
import type { Serializers } from "../platform/http/serializers.ts";
import { newTrace, reqNoGenerator } from "../platform/http/trace.ts";
import { readUnreadBodies } from "../platform/http/unread-bodies.ts";
import type { Context } from "./context.ts";
import type { Departure } from "./departure.ts";
import { healthRoutes } from "./health.ts";
import { streamRoutes } from "./stream-routes.ts";

/** The time in which a request must arrive completely; the largest upload needs 1.5 Mbit/s. */
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How often Node looks for requests that have exceeded their time. */
const CHECK_EVERY_MS = 1_000;
/** Limits the memory that a connection takes before its caller is known. */
const MAX_HEADERS = 200;
const MAX_PARAM_LENGTH = 256;
/** Of a body that nobody reads yet, what its connection delivers at once is in memory, and no more. */
const READ_AHEAD_BYTES = 16 * 1024;
const UPGRADABLE: ReadonlySet<string> = new Set(Object.values(STREAM_PATHS));

/** For a year; not for other names below this one, which are not the service's. */
const HSTS = "max-age=31536000";

/** The time in which a TLS handshake must be complete. */
const HANDSHAKE_WITHIN_MS = 10_000;

/** What the server serves beside the routes. */
interface Served {
  serializers: Serializers;
  /** The folder of the pages, or what has been read from it. */
  pages: URL | BuiltPages;
  /** Null: plain http. */
  certificate: CertificateFiles | null;
  departure: Departure;
  connections: ConnectionLimit;
}

/** Builds the HTTP server with every route on it. */
export async function createServer(
  ctx: Context,
  { serializers, pages, certificate, departure, connections }: Served,
): Promise<FastifyInstance> {
  const nextReqNo = reqNoGenerator(() => ctx.clock.now());
  const malformed = new MalformedHttpAnswerer(nextReqNo);
  const server = Fastify({
    logger: false,
    genReqId: nextReqNo,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    serverFactory: (handler) => listener(ctx, certificate, handler),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: ({ url = "" }) => originForm(url),
    clientErrorHandler: (error, socket) => malformed.answer(error, socket),
    // A path that cannot be decoded matches no route: 404.
    frameworkErrors: (_error, request, reply) => {
      request.trace = newTrace(ctx.clock.now());
      return sendContainerNotFound(request, reply, ctx.clock.now());
    },
  });

  server.setSerializerCompiler<Schema>(({ schema }) => serializers.compile(schema));

  // The body of a request without a route is not read: the answer does not depend on it.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  server.setNotFoundHandler((request, reply) => sendContainerNotFound(request, reply, ctx.clock.now()));
  server.setErrorHandler((error, request, reply) => {
    if (request.is404) return sendContainerNotFound(request, reply, ctx.clock.now());
    return sendFailure(request, reply, error);
  });

  server.server.maxHeadersCount = MAX_HEADERS;
  connections.watch(server.server);
  const open = "Connections of clients, streams included";
  ctx.metrics.addGauge("portico_connections", open, () => connections.count);
  malformed.watch(server.server);
  readUnreadBodies(server);
  observeRequests(server, ctx);
  server.addHook("onRequest", (request, reply, done) => {
    // Asked here, so that calls make no function for it while nobody leaves.
    if (departure.hasBegun) departure.note(request.raw, (name, value) => reply.header(name, value));
    done();
  });
  refuseWhenRetired(server, ctx.retirement);
  identifyClients(server, ctx);
  separateHosts(server, ctx);
  paceRefusals(server);
  if (certificate !== null && ctx.config.environment === "production") keepToTls(server);
  // On an upgrade, Node no longer manages the connection. When the request is answered instead, it must be closed here.
  server.addHook("onResponse", (request, reply, done) => {
    connections.answered(request.raw, reply.raw);
    malformed.answered(request.raw, reply.raw);
    if (isStreamRequest(request.raw)) request.raw.socket.destroySoon();
    done();
  });
  await server.register(referenceRoutes());
  await server.register(healthRoutes(ctx, departure));
  await server.register(botRoutes(ctx));
  await server.register(customerRoutes(ctx));
  await server.register(miniappRoutes(ctx));
  await server.register(fileRoutes(ctx));
  await server.register(messengerRoutes(ctx));
  await server.register(deskRoutes(ctx));
  await server.register(widgetRoutes(ctx));
  await server.register(streamRoutes(ctx));
  await server.register(consoleRoutes(ctx));
  await server.register(operatorRoutes(ctx));
  await server.register(scimRoutes(ctx));
  await server.register(pageRoutes(ctx, pages));
  await server.register(imageProxy(ctx));
  await server.ready();
  return server;
}

/** Browsers that have seen the service by https come by https alone (RFC 6797). Behind a proxy that is the proxy's to say. */
function keepToTls(server: FastifyInstance): void {
  server.addHook("onRequest", (_request, reply, done) => {
    reply.header("strict-transport-security", HSTS);
    done();
  });
}

function listener(ctx: Context, certificate: CertificateFiles | null, handler: RequestListener): Server {
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    highWaterMark: READ_AHEAD_BYTES,
    headersTimeout: ctx.config.limits.headTimeoutMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // Some clients offer an upgrade with every request; it is accepted for stream paths only.
    shouldUpgradeCallback: isStreamRequest,
  };
  if (certificate === null) return createHttpServer(options, handler);
  const secured = { ...options, ...TLS, ...certificate.pair, handshakeTimeout: HANDSHAKE_WITHIN_MS };
  const server = createHttpsServer(secured, handler);
  certificate.keepCurrent(server);
  return server;
}

function isStreamRequest({ method, url = "", headers }: IncomingMessage): boolean {
  const target = originForm(url);
  const end = target.indexOf("?");
  const path = end === -1 ? target : target.slice(0, end);
  return method === "GET" && UPGRADABLE.has(path) && headers.upgrade?.toLowerCase() === "websocket";
}
