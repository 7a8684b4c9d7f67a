import { ApiError, LIMITS, type Member } from "@portico/protocol";
import { apiResultSchema, FileFormSchema } from "@portico/protocol/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import { type Change, recordChange } from "../audit/audit-store.ts";
import type { Context } from "../context.ts";
import { readSpooledUpload, type Upload } from "../files/keep-upload.ts";
import { checkContentType } from "../gate/media-types.ts";
import { sendJsonText } from "../http/answer.ts";
import { parseJsonBody } from "../http/json-body.ts";
import { pathParams } from "../http/path-params.ts";
import { checkContentLength, discardBody } from "../http/raw-body.ts";
import { spoolBody } from "../http/spool-body.ts";
import { bodyParser, queryParser } from "../http/validate.ts";
import type { Db } from "../storage/schema.ts";
import { signedInMember } from "./session.ts";

/** A call of the members' client API. */
export interface ClientCall<Body, Query> {
  /** Who calls; a stand-in without ids for calls that need no sign-in. */
  member: Member;
  params: Readonly<Record<string, string>>;
  body: Body;
  /** The body as it came over the wire. */
  rawBody: Buffer;
  query: Query;
  /** The file of an upload. */
  upload: Upload | null;
  /** Writes a change that this call makes to the audit log, in the transaction that makes it. */
  audit(tx: Db, change: Change): Promise<void>;
}

/** One endpoint of the members' client API (design, section 10). */
export interface ClientRoute<Body extends TSchema, Query extends TObject, Value extends TSchema> {
  method: "GET" | "POST" | "DELETE";
  url: string;
  summary: string;
  /** False only for signing in. */
  signedIn?: false;
  /** Set for a route that takes a file instead of JSON. */
  upload?: true;
  body?: Body;
  query?: Query;
  value: Value;
  /** Throws for whom no file is to be received, before it is. */
  admit?(ctx: Context, member: Member): Promise<void>;
  handle(ctx: Context, call: ClientCall<Static<Body>, Static<Query>>): Promise<Static<Value>>;
}

const NO_BODY = Buffer.alloc(0);
const NOBODY: Member = { userId: "", username: "", name: "", tenantId: "" };

/** Registers routes of the client API. */
export function clientApi(ctx: Context, register: (add: ReturnType<typeof adder>) => void) {
  return async (server: FastifyInstance) => {
    server.setValidatorCompiler(() => () => true);
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      "application/json",
      { parseAs: "buffer", bodyLimit: LIMITS.ordinaryBodyBytes },
      (_request, body, done) => done(null, body),
    );
    // Left unread here: a route that takes a file reads it once it knows from whom.
    server.addContentTypeParser("multipart/form-data", (request, _payload, done) =>
      done(request.routeOptions.config.upload ? null : new ApiError("UNSUPPORTED_MEDIA_TYPE"), undefined),
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
      config: { upload: route.upload ?? false },
      schema: {
        summary: route.summary,
        ...(route.upload && { consumes: ["multipart/form-data"], body: FileFormSchema }),
        ...(route.body && { body: route.body }),
        ...(route.query && { querystring: route.query }),
        response: { 200: apiResultSchema(route.value) },
      },
      handler: async (request, reply) => {
        try {
          const member = route.signedIn === false ? NOBODY : await signedInMember(ctx, request);
          const actor = { type: "MEMBER", id: member.userId, address: request.ip } as const;
          const rawBody = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
          const input = {
            member,
            params: pathParams(request),
            body: parseBody?.(parseJsonBody(rawBody)) as Static<Body>,
            rawBody,
            query: parseQuery?.(request.query) as Static<Query>,
            audit: (tx: Db, change: Change) => recordChange(tx, actor, change, ctx.clock.now()),
          };
          const work = (upload: Upload | null) => route.handle(ctx, { ...input, upload });
          await route.admit?.(ctx, member);
          const value = route.upload ? await withUpload(ctx, request, member, work) : await work(null);
          await ctx.storage.synced();
          return sendJsonText(request, reply, value);
        } finally {
          if (!request.raw.readableEnded) discardBody(request.raw);
        }
      },
    });
  };
}

/** Receives the file of an upload, does `work` with it, and leaves nothing lying about. */
async function withUpload<T>(
  ctx: Context,
  { raw }: FastifyRequest,
  { userId }: Member,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  const contentType = raw.headers["content-type"];
  checkContentType(contentType, "multipart/form-data");
  checkContentLength(raw, LIMITS.uploadBodyBytes);
  const place = ctx.temporaryFiles.enter({ type: "MEMBER", id: userId });
  if (place === null) throw new ApiError("QUOTA_EXCEEDED", "同时上传的文件过多,请稍后重试", { retryAfterSeconds: 1 });
  try {
    await spoolBody(raw, place.bodyPath, LIMITS.uploadBodyBytes);
    return await work(await readSpooledUpload(place, contentType));
  } finally {
    await place.leave();
  }
}
