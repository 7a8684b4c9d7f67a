import { type ApiErrorCode, LIMITS, type Stated, SUCCESS_CODE } from "@portico/protocol";
import type { OpenEndpoint } from "@portico/protocol/endpoints";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendInSlices, sendJsonText, sendSuccess } from "../../../platform/http/answer.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { answerSchema } from "../../common/answer-schema.ts";
import { type AuthenticatedCall, authenticate, type BodyRule } from "./authenticate.ts";
import type { GateParts } from "./gate-parts.ts";
import { type GatedRoute, gateOf, inputParser } from "./gated-route.ts";
import type { OpenRoute } from "./open-route.ts";
import { pass } from "./pass.ts";

declare module "fastify" {
  interface FastifyRequest {
    authenticated: AuthenticatedCall | null;
  }
  interface FastifyContextConfig {
    /** Whether the route accepts a file. */
    upload?: boolean;
    /** The message for an unknown application, if it differs from the generic 401. */
    unknownApp?: Stated<ApiErrorCode>;
  }
}

/** Registers one route, whose implementation needs no other parts than these. */
type AddOpenRoute<Parts> = <E extends OpenEndpoint, Seen>(route: OpenRoute<E, Parts, Seen>) => void;

/** Registers the routes of the open API behind the gate. */
export function openApi<Parts extends GateParts>(ctx: Parts, register: (add: AddOpenRoute<Parts>) => void) {
  return async (server: FastifyInstance) => {
    closeGate(ctx, server);
    register(adder(ctx, server));
  };
}

/** Has every request to the routes of `server` authenticated, before {@link pass}. */
export function closeGate(ctx: GateParts, server: FastifyInstance): void {
  server.decorateRequest("authenticated", null);
  server.setValidatorCompiler(() => () => true);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  server.addHook("onRequest", async (request) => {
    request.authenticated = await authenticate(ctx, request, bodyRule(request));
    // The gate has read the body and checks its type itself, so Fastify must not see one.
    const { headers } = request.raw;
    headers["content-type"] = undefined;
    headers["content-length"] = undefined;
    headers["transfer-encoding"] = undefined;
  });
}

function bodyRule(request: FastifyRequest): BodyRule {
  if (!request.routeOptions.config.upload) return { maxBytes: LIMITS.ordinaryBodyBytes, spooled: false };
  return { maxBytes: LIMITS.uploadBodyBytes, spooled: true };
}

function adder<Parts extends GateParts>(ctx: Parts, server: FastifyInstance): AddOpenRoute<Parts> {
  return <E extends OpenEndpoint, Seen>(route: OpenRoute<E, Parts, Seen>) => {
    const { endpoint, holdsJsonText } = route;
    const gated: GatedRoute<E, Parts, Seen> = { ...gateOf(endpoint), route, parse: inputParser(endpoint) };
    server.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { upload: gated.takesFile, inRequestLog: true, unknownApp: endpoint.access.unknownApp },
      schema: answerSchema(endpoint),
      handler: async (request, reply) => {
        const value = await pass(ctx, gated, request, reply);
        if (request.trace.isLost) return endWithoutAnswer(request, reply);
        if (value instanceof InSlices) return await sendInSlices(request, reply, value);
        return holdsJsonText ? sendJsonText(request, reply, value) : sendSuccess(request, reply, value);
      },
    });
  };
}

/** Ends the connection of a call that was carried out, as its application's owner rehearses it. */
function endWithoutAnswer({ raw, trace }: FastifyRequest, reply: FastifyReply): FastifyReply {
  trace.code = SUCCESS_CODE;
  raw.socket.destroy();
  return reply.hijack();
}
