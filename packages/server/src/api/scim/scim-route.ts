import { ApiError, englishOf, errorCodesOf } from "@portico/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hashOfToken } from "../../domain/accounts/refresh-tokens.ts";
import { ScimError } from "../../domain/scim/scim-error.ts";
import type { Directory, ScimParts } from "../../domain/scim/scim-parts.ts";
import { findScimToken } from "../../domain/scim/token-store.ts";
import { isDiskFull } from "../../platform/disk/disk-full.ts";
import { outageBehind } from "../../platform/errors/unavailable.ts";
import { bearerToken } from "../../platform/http/bearer-token.ts";
import type { BodiesInFlight } from "../../platform/http/bodies-in-flight.ts";
import { BufferedBody, NO_BODY } from "../../platform/http/buffered-body.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import { parseJsonBody } from "../../platform/http/json-body.ts";
import { pathParams } from "../../platform/http/path-params.ts";
import { checkContentLength } from "../../platform/http/raw-body.ts";
import { Allowances } from "../../platform/limits/allowances.ts";
import { SharedRoom } from "../../platform/limits/shared-room.ts";
import { SideBySide } from "../../platform/limits/side-by-side.ts";
import { type Projection, projectionOf } from "./projection.ts";

/** What it takes to receive a directory's calls. */
export interface ScimApiParts extends ScimParts {
  bodies: BodiesInFlight;
}

/** A call of a directory. */
export interface ScimCall {
  directory: Directory;
  /** The id in the path; empty for paths without one. */
  id: string;
  query: Readonly<Record<string, unknown>>;
  /** What of the answer is asked for. */
  projection: Projection;
  /** The parsed body; undefined for calls without one. */
  body: unknown;
  /** The address of the tenant's resources, without a slash at its end. */
  base: string;
}

/** What a call is answered with; without a body 204. */
export interface ScimAnswer {
  status?: number;
  location?: string;
  body?: object;
}

/** Registers a call, by its path below the tenant's. */
export type AddScimRoute = (
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  handle: (call: ScimCall) => Promise<ScimAnswer>,
) => void;

/** A tenant's directories together, in this process: a burst, and 50 calls a second. A directory asks for 25 at the least. */
const CALLS = { amount: 250, periodMs: 5_000 };
/** Calls that are worked on at once, so that members find the database and its threads free; further ones wait. */
const ROOM = { max: 8, maxPerCaller: 2, maxWaitingPerCaller: CALLS.amount, maxWaitMs: 10_000 };
const MEDIA_TYPE = "application/scim+json";
/** Enough for the members of a large group. */
const MAX_BODY_BYTES = 1_024 * 1_024;

declare module "fastify" {
  interface FastifyRequest {
    directory: Directory | null;
  }
}

/**
 * Registers the calls of directories (RFC 7644). Each has the Bearer token of a tenant; it is looked up before any of the
 * body is read.
 */
export function scimApi(ctx: ScimApiParts, register: (add: AddScimRoute) => void) {
  const identification = new SideBySide();
  const calls = new Allowances(CALLS.amount, CALLS.periodMs);
  const room = new SharedRoom(ROOM);
  return async (server: FastifyInstance) => {
    server.setValidatorCompiler(() => () => true);
    server.removeAllContentTypeParsers();
    server.decorateRequest("directory", null);
    server.setErrorHandler((error, request, reply) => sendScimFailure(request, reply, error));
    server.addContentTypeParser(["application/json", MEDIA_TYPE], async (request: FastifyRequest) => {
      checkContentLength(request.raw, MAX_BODY_BYTES);
      const caller = `SCIM ${request.directory?.tokenId}`;
      return await ctx.bodies.readJson(
        request.raw,
        { caller, address: addressBlock(request.clientAddress) },
        MAX_BODY_BYTES,
      );
    });
    register((method, path, handle) => {
      server.route({
        method,
        url: `/scim/v2/:tenantId${path}`,
        onRequest: async (request) => {
          const { raw, clientAddress } = request;
          const identify = () => identification.run(raw, () => directoryOf(ctx, request));
          const directory = await ctx.bodies.beforeRead(raw, addressBlock(clientAddress), identify);
          const now = ctx.clock.monotonic();
          const waitMs = calls.waitFor(directory.tenantId, 1, now);
          if (waitMs > 0) throw new TooManyCalls(Math.ceil(waitMs / 1_000));
          calls.take(directory.tenantId, 1, now);
          request.directory = directory;
        },
        handler: async (request, reply) => {
          const { directory } = request;
          if (directory === null) throw new Error("the call has not been identified");
          using held = request.body instanceof BufferedBody ? request.body : NO_BODY;
          const query = request.query as Record<string, unknown>;
          const projection = projectionOf(query);
          const takesBody = method !== "GET" && method !== "DELETE";
          const body = takesBody ? parseJsonBody(held) : undefined;
          const leave = await room.acquire(directory.tenantId, 1, reply.raw);
          if (leave === null) throw new TooManyCalls(5);
          const answer = await handle({
            directory,
            id: pathParams(request).id ?? "",
            query,
            projection,
            body,
            base: `${ctx.config.baseUrl}/scim/v2/${encodeURIComponent(directory.tenantId)}`,
          }).finally(leave);
          await ctx.storage.synced();
          return send(request, reply, answer);
        },
      });
    });
  };
}

/** A directory that calls more often than it may, or than it can be answered. */
class TooManyCalls extends ScimError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(429, null, "the tenant's directories call too often");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

async function directoryOf({ storage }: ScimApiParts, request: FastifyRequest): Promise<Directory> {
  const { tenantId = "" } = pathParams(request);
  const token = bearerToken(request);
  const known = /^[\w-]{1,128}$/.test(token) ? await findScimToken(storage.db, tenantId, hashOfToken(token)) : null;
  if (known === null) throw new ScimError(401, null, "the Bearer token is missing, unknown, or another tenant's");
  return { tenantId, tokenId: known, address: request.clientAddress };
}

function send(request: FastifyRequest, reply: FastifyReply, { status, location, body }: ScimAnswer): FastifyReply {
  const code = status ?? (body === undefined ? 204 : 200);
  request.trace.code = String(code);
  reply.code(code).header("cache-control", "no-store");
  if (location !== undefined) reply.header("location", location);
  if (body === undefined) return reply.send();
  return reply.header("content-type", `${MEDIA_TYPE}; charset=utf-8`).send(JSON.stringify(body));
}

function sendScimFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status, scimType, message } = refusalOf(error);
  request.trace.reason ??= message;
  if (status === 500) request.trace.failure = error;
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (status === 429 || status === 503) {
    reply.header("retry-after", String(error instanceof TooManyCalls ? error.retryAfterSeconds : 5));
  }
  const schemas = ["urn:ietf:params:scim:api:messages:2.0:Error"];
  const body = { schemas, status: String(status), ...(scimType !== null && { scimType }), detail: message };
  return send(request, reply, { status, body });
}

function refusalOf(error: unknown): Pick<ScimError, "status" | "scimType" | "message"> {
  if (error instanceof ScimError) return error;
  if (isDiskFull(error)) return { status: 503, scimType: null, message: "the service has no disk space" };
  if (outageBehind(error) !== undefined) return { status: 503, scimType: null, message: "the service cannot work now" };
  if (error instanceof ApiError && error.status !== 500) {
    const [errorCode = error.kind] = errorCodesOf({ code: error.code, message: error.message });
    const message = englishOf({ code: error.code, message: error.message }) ?? errorCode;
    return { status: error.status, scimType: error.status === 400 ? "invalidSyntax" : null, message };
  }
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return { status: 415, scimType: null, message: `send ${MEDIA_TYPE}` };
  }
  return { status: 500, scimType: null, message: "the service failed" };
}
