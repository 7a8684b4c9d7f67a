import { ApiError, type Member } from "@portico/protocol";
import { apiResultSchema } from "@portico/protocol/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import type { Context } from "../context.ts";
import { sendSuccess } from "../http/answer.ts";
import { parseJsonBody } from "../http/json-body.ts";
import { bodyParser, queryParser } from "../http/validate.ts";
import { signedInMember } from "./session.ts";

/** A call of the members' client API. */
export interface ClientCall<Body, Query> {
  /** Who calls; a stand-in without ids for calls that need no sign-in. */
  member: Member;
  params: Record<string, string>;
  body: Body;
  query: Query;
}

/** One endpoint of the members' client API (design, section 10). */
export interface ClientRoute<Body extends TSchema, Query extends TObject, Value extends TSchema> {
  method: "GET" | "POST" | "DELETE";
  url: string;
  summary: string;
  /** False only for signing in. */
  signedIn?: false;
  body?: Body;
  query?: Query;
  value: Value;
  handle(ctx: Context, call: ClientCall<Static<Body>, Static<Query>>): Promise<Static<Value>>;
}

const NOBODY: Member = { userId: "", username: "", name: "", tenantId: "" };
const MAX_BODY_BYTES = 256 * 1024;

/** Registers routes of the client API. */
export function clientApi(ctx: Context, register: (add: ReturnType<typeof adder>) => void) {
  return async (server: FastifyInstance) => {
    server.setValidatorCompiler(() => () => true);
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      "application/json",
      { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    );
    register(adder(ctx, server));
  };
}

function adder(ctx: Context, server: FastifyInstance) {
  return <Body extends TSchema, Query extends TObject, Value extends TSchema>(
    route: ClientRoute<Body, Query, Value>,
  ) => {
    const parseBody = route.body && bodyParser(route.body);
    const parseQuery = route.query && queryParser(route.query);
    server.route({
      method: route.method,
      url: route.url,
      schema: {
        summary: route.summary,
        ...(route.body && { body: route.body }),
        ...(route.query && { querystring: route.query }),
        response: { 200: apiResultSchema(route.value) },
      },
      handler: async (request, reply) => {
        const member = route.signedIn === false ? NOBODY : await signedInMember(ctx, request);
        const value = await route.handle(ctx, {
          member,
          params: pathParams(request),
          body: parseBody?.(bodyOf(request)) as Static<Body>,
          query: parseQuery?.(request.query) as Static<Query>,
        });
        await ctx.storage.synced();
        return sendSuccess(request, reply, value);
      },
    });
  };
}

function bodyOf(request: FastifyRequest): unknown {
  return parseJsonBody(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
}

/** Ids from the path. PostgreSQL's texts hold no NUL, so one that does is nobody's. */
function pathParams(request: FastifyRequest): Record<string, string> {
  const params = Object.entries(request.params ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  if (params.some(([, value]) => value.includes("\0"))) throw new ApiError("INVALID_REQUEST", "路径参数包含非法字符");
  return Object.fromEntries(params);
}
