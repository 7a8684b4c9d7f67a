import { LIMITS } from "@portico/protocol";
import { ConsoleErrorSchema } from "@portico/protocol/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { Context } from "../context.ts";
import { checkContentType } from "../gate/media-types.ts";
import { parseJsonBody } from "../http/json-body.ts";
import { pathParams } from "../http/path-params.ts";
import { checkContentLength, discardBody, RequestAborted, readRawBody } from "../http/raw-body.ts";
import { reqNoOf } from "../http/trace.ts";
import { bodyParser, queryParser } from "../http/validate.ts";
import { sendConsoleJson, sendNoContent } from "./console-answer.ts";
import { sendConsoleFailure } from "./console-error.ts";
import { type Developer, signedInDeveloper } from "./session.ts";

/** A call of the console API. */
export interface ConsoleCall<Body, Query> {
  /** Who calls; a stand-in without an id for calls that need no sign-in. */
  developer: Developer;
  params: Readonly<Record<string, string>>;
  body: Body;
  query: Query;
  /** The Cookie header. */
  cookies: string;
  reqNo: string;
  /** For what an answer has beside its body: a status other than 200, a cookie. */
  reply: Pick<FastifyReply, "code" | "header">;
}

/** One endpoint of the console API (spec.md, "Developer console API"; design, section 11). */
export interface ConsoleRoute<Body extends TSchema, Query extends TObject, Value extends TSchema> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the base of the console API. */
  url: string;
  summary: string;
  /** False only for signing in and out. */
  signedIn?: false;
  body?: Body;
  query?: Query;
  value: Value;
  handle(ctx: Context, call: ConsoleCall<Static<Body>, Static<Query>>): Promise<Static<Value>>;
}

/** The base of the console API. */
export const CONSOLE_BASE = "/api/open/console/v1";

/** The value of a route that answers with 204. */
export const NO_CONTENT = Type.Null();

const NOBODY: Developer = { developerId: "" };

/** Registers routes of the console API. */
export function consoleApi(ctx: Context, register: (add: ReturnType<typeof adder>) => void) {
  return async (server: FastifyInstance) => {
    server.setValidatorCompiler(() => () => true);
    server.setErrorHandler((error, request, reply) => sendConsoleFailure(request, reply, error, ctx.clock.now()));
    register(adder(ctx, server));
  };
}

function adder(ctx: Context, server: FastifyInstance) {
  return <Body extends TSchema, Query extends TObject, Value extends TSchema>(
    route: ConsoleRoute<Body, Query, Value>,
  ) => {
    const parseBody = route.body && bodyParser(route.body);
    const parseQuery = route.query && queryParser(route.query);
    server.route({
      method: route.method,
      url: CONSOLE_BASE + route.url,
      schema: {
        summary: route.summary,
        ...(route.body && { body: route.body }),
        ...(route.query && { querystring: route.query }),
        response: { [isEmpty(route) ? 204 : 200]: route.value, "4xx": ConsoleErrorSchema },
      },
      handler: async (request, reply) => {
        const developer = route.signedIn === false ? NOBODY : await signedInDeveloper(ctx, request);
        const value = await route.handle(ctx, {
          developer,
          params: pathParams(request),
          query: parseQuery?.(request.query) as Static<Query>,
          body: parseBody?.(await readJson(request)) as Static<Body>,
          cookies: request.headers.cookie ?? "",
          reqNo: reqNoOf(request),
          reply,
        });
        await ctx.storage.synced();
        if (!request.raw.readableEnded) discardBody(request.raw);
        return isEmpty(route) ? sendNoContent(request, reply) : sendConsoleJson(request, reply, value);
      },
    });
  };
}

function isEmpty({ value }: { value: TSchema }): boolean {
  return value === NO_CONTENT;
}

/** The body is read only here, once it is known from whom it comes. */
async function readJson({ raw }: FastifyRequest): Promise<unknown> {
  const { headers } = raw;
  const isAbsent = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
  if (!isAbsent) checkContentType(headers["content-type"], "application/json");
  checkContentLength(raw, LIMITS.ordinaryBodyBytes);
  if (raw.destroyed) throw new RequestAborted("the request was cut off");
  return parseJsonBody(await readRawBody(raw, LIMITS.ordinaryBodyBytes));
}
