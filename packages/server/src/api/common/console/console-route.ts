import { LIMITS } from "@portico/protocol";
import {
  type ConsoleEndpoint,
  type EndpointBody,
  type EndpointQuery,
  type EndpointValue,
  NO_CONTENT,
  type PathParams,
} from "@portico/protocol/endpoints";
import { ConsoleErrorSchema } from "@portico/protocol/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CallOrigin, Developer } from "../../../domain/accounts/developer.ts";
import type { DeveloperSessionParts } from "../../../domain/accounts/developer-session.ts";
import type { ConsoleApp } from "../../../domain/applications/visible-app.ts";
import { type Change, recordChange } from "../../../domain/audit/audit-store.ts";
import type { FreeSpace } from "../../../platform/disk/free-space.ts";
import type { BodiesInFlight } from "../../../platform/http/bodies-in-flight.ts";
import { type BufferedBody, NO_BODY } from "../../../platform/http/buffered-body.ts";
import { addressBlock } from "../../../platform/http/client-address.ts";
import { parseJsonBody } from "../../../platform/http/json-body.ts";
import { checkContentType } from "../../../platform/http/media-types.ts";
import { pathParams } from "../../../platform/http/path-params.ts";
import { checkContentLength, STRANGERS_BODY_BYTES } from "../../../platform/http/raw-body.ts";
import { reqNoOf } from "../../../platform/http/trace.ts";
import { bodyParser, queryParser } from "../../../platform/http/validate.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { originOf } from "../call-origin.ts";
import type { RouteParts } from "../parts.ts";
import { sendConsoleJson, sendNoContent } from "./console-answer.ts";
import { sendConsoleFailure } from "./console-error.ts";
import { admit } from "./permissions.ts";

/** What it takes to receive developers' calls. */
export interface ConsoleApiParts extends DeveloperSessionParts {
  freeSpace: FreeSpace;
  bodies: BodiesInFlight;
}

/** A call of the console API. */
export interface ConsoleCall<E extends ConsoleEndpoint> {
  /** The caller; an empty placeholder for calls without sign-in. */
  developer: Developer;
  /** The application in the path; an empty placeholder for paths without one. */
  app: ConsoleApp;
  /** The tenant in the X-Open-Tenant-Id header; empty when it is absent or the endpoint does not use it. */
  tenantId: string;
  params: PathParams<E["path"]>;
  body: EndpointBody<E>;
  /** The raw body; empty for an endpoint without one. */
  rawBody: Buffer;
  query: EndpointQuery<E>;
  /** The Cookie header. */
  cookies: string;
  reqNo: string;
  /** Where the call came from. */
  origin: CallOrigin;
  /** Writes a change to the audit log; call it in the same transaction as the change. */
  audit(tx: Db, change: Change): Promise<void>;
  /** Sets a status other than 200, or a cookie. */
  reply: Pick<FastifyReply, "code" | "header">;
}

/** The implementation of one endpoint, and the parts that its handler needs. */
export interface ConsoleRoute<E extends ConsoleEndpoint, Parts = RouteParts> {
  endpoint: E;
  /** Set for a route that stores its body, which may be long. */
  stores?: true;
  handle: (ctx: Parts, call: ConsoleCall<E>) => Promise<EndpointValue<E>>;
}

/** The base of the console API. */
export const CONSOLE_BASE = "/api/open/console/v1";

/** Registers one route, whose handler needs no other parts than these. */
export type AddConsoleRoute<Parts> = <E extends ConsoleEndpoint>(route: ConsoleRoute<E, Parts>) => void;

/** Registers routes of the console API. */
export function consoleApi<Parts extends ConsoleApiParts>(ctx: Parts, register: (add: AddConsoleRoute<Parts>) => void) {
  return async (server: FastifyInstance) => {
    server.setValidatorCompiler(() => () => true);
    server.setErrorHandler((error, request, reply) => sendConsoleFailure(request, reply, error, ctx.clock.now()));
    register(adder(ctx, server));
  };
}

function adder<Parts extends ConsoleApiParts>(ctx: Parts, server: FastifyInstance): AddConsoleRoute<Parts> {
  return <E extends ConsoleEndpoint>(route: ConsoleRoute<E, Parts>) => {
    const { endpoint } = route;
    const { method, path, body, query, value } = endpoint;
    const isEmpty = value === NO_CONTENT;
    const parseBody = body && bodyParser(body);
    const parseQuery = query && queryParser(query);
    server.route({
      method,
      url: path,
      schema: {
        response: { [isEmpty ? 204 : 200]: value, "4xx": ConsoleErrorSchema, "5xx": ConsoleErrorSchema },
      },
      handler: async (request, reply) => {
        const params = pathParams(request);
        const address = addressBlock(request.clientAddress);
        const admitted = await ctx.bodies.beforeRead(request.raw, address, () => admit(ctx, request, endpoint, params));
        const origin = originOf(request);
        const actor = { type: "DEVELOPER", id: admitted.developer.developerId, address: origin.address } as const;
        if (route.stores) ctx.freeSpace.check("message");
        using held = parseBody ? await readBody(ctx, request, admitted.developer) : NO_BODY;
        const rawBody = held.bytes;
        if (route.stores) ctx.freeSpace.storing(rawBody.length);
        const isLeftOut = endpoint.bodyOptional && rawBody.length === 0;
        const answer = await route.handle(ctx, {
          ...admitted,
          origin,
          audit: (tx, change) => recordChange(tx, actor, change, ctx.clock.now()),
          // The router has matched the path, so all its parameters exist.
          params: params as PathParams<E["path"]>,
          query: parseQuery?.(request.query) as EndpointQuery<E>,
          body: parseBody?.(isLeftOut ? {} : parseJsonBody(held)) as EndpointBody<E>,
          rawBody,
          cookies: request.headers.cookie ?? "",
          reqNo: reqNoOf(request),
          reply,
        });
        await ctx.storage.synced();
        return isEmpty ? sendNoContent(request, reply) : sendConsoleJson(request, reply, answer);
      },
    });
  };
}

/** Reads the body after the caller has been identified; the limit is lower for callers who are not signed in. */
async function readBody(
  { bodies }: ConsoleApiParts,
  request: FastifyRequest,
  { developerId }: Developer,
): Promise<BufferedBody> {
  const { raw } = request;
  const { headers } = raw;
  const caller = developerId === "" ? "strangers" : `DEVELOPER ${developerId}`;
  const maxBytes = developerId === "" ? STRANGERS_BODY_BYTES : LIMITS.ordinaryBodyBytes;
  const isAbsent = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
  if (!isAbsent) checkContentType(headers["content-type"], "application/json");
  checkContentLength(raw, maxBytes);
  return await bodies.readJson(raw, { caller, address: addressBlock(request.clientAddress) }, maxBytes);
}
