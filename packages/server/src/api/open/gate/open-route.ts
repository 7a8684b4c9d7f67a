import { type ApiErrorCode, LIMITS, type Scope, type Stated } from "@portico/protocol";
import type { EndpointBody, EndpointQuery, EndpointValue, OpenEndpoint, PathParams } from "@portico/protocol/endpoints";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../domain/applications/app-directory.ts";
import { readSpooledUpload, type Upload } from "../../../domain/files/keep-upload.ts";
import type { UploadPlace } from "../../../domain/files/temporary-files.ts";
import { noRoom } from "../../../platform/disk/free-space.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { sendInSlices, sendJsonText, sendSuccess } from "../../../platform/http/answer.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { parseJsonBody } from "../../../platform/http/json-body.ts";
import { checkAccept, checkContentType } from "../../../platform/http/media-types.ts";
import { pathParams } from "../../../platform/http/path-params.ts";
import { bodyParser, queryParser } from "../../../platform/http/validate.ts";
import { TransactionLost, withSavepoint } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Context } from "../../common/context.ts";
import { endpointSchema } from "../../common/endpoint-schema.ts";
import { type AuthenticatedCall, authenticate, type BodyRule, unauthenticated } from "./authenticate.ts";
import { QuotaEntry, type Stored } from "./quota-entry.ts";

/** A call that has passed the whole gate. */
export interface Call<Body, Query, Seen = undefined, Params = unknown> {
  app: App;
  params: Params;
  body: Body;
  /** The body as it came over the wire. */
  rawBody: Buffer;
  query: Query;
  /** The file of an upload. */
  upload: Upload | null;
  /** What the route's `arrive` found. */
  seen: Seen;
  /** Epoch milliseconds at which the work began. */
  now: number;
  /** Has `effect` take place once the work is on disk: what tells others to look for it there. */
  afterCommit(effect: () => void): void;
  /** Waits for room for an answer that is going to hold so many bytes; see LargeAnswers. Before they are read. */
  room(bytes: number): Promise<void>;
}

/** A call of an endpoint. */
export type CallOf<E extends OpenEndpoint, Seen = undefined> = Call<
  EndpointBody<E>,
  EndpointQuery<E>,
  Seen,
  PathParams<E["path"]>
>;

/** One endpoint of the open API, and what it does. */
export interface OpenRoute<E extends OpenEndpoint, Seen = undefined> {
  endpoint: E;
  /** Set for a route that keeps what its body says, as long as that may be; uploads do anyway. */
  stores?: true;
  /** Set for a route whose value holds JsonTexts. */
  holdsJsonText?: true;
  /**
   * Looks, as the call arrives and before it waits for its turn, at what it is about; `lane` and `handle` are given what
   * it found. It may have changed by then.
   */
  arrive?(call: CallOf<E>, ctx: Context): Promise<Seen>;
  /** Called when a call that has arrived is about to be answered, whatever came of it. */
  leave?(call: CallOf<E, Seen>): void;
  /**
   * Names what concurrent calls contend for, such as a conversation's counter; see Storage.write. Undefined when there is
   * nothing they could contend for.
   */
  lane?(call: CallOf<E, Seen>, ctx: Context): string | undefined | Promise<string | undefined>;
  /** Runs in the transaction that uses up the nonce, in a savepoint of its own; reads and uploads come after it. */
  handle(ctx: Context, db: Db, call: CallOf<E, Seen>): Promise<EndpointValue<E> | InSlices<EndpointValue<E>>>;
  /** What of an upload no transaction can hold: done after the commit and before the answer. */
  finish?(ctx: Context, call: CallOf<E, Seen>, value: EndpointValue<E>): Promise<void>;
}

declare module "fastify" {
  interface FastifyRequest {
    authenticated: AuthenticatedCall | null;
  }
  interface FastifyContextConfig {
    /** Whether the route takes a file. */
    upload?: boolean;
    /** What a caller is told whose application does not exist, where that is not what every 401 says. */
    unknownApp?: Stated<ApiErrorCode>;
  }
}

/** Registers the routes of the open API behind the gate. */
export function openApi(ctx: Context, register: (add: ReturnType<typeof adder>) => void) {
  return async (server: FastifyInstance) => {
    server.decorateRequest("authenticated", null);
    server.setValidatorCompiler(() => () => true);
    server.removeAllContentTypeParsers();
    server.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
    server.addHook("onRequest", async (request) => {
      request.authenticated = await authenticate(ctx, request, bodyRule(request));
      // The body has been read and its type is the gate's to judge: to Fastify there is none.
      const { headers } = request.raw;
      headers["content-type"] = undefined;
      headers["content-length"] = undefined;
      headers["transfer-encoding"] = undefined;
    });
    register(adder(ctx, server));
  };
}

function bodyRule(request: FastifyRequest): BodyRule {
  if (!request.routeOptions.config.upload) return { maxBytes: LIMITS.ordinaryBodyBytes, spooled: false };
  return { maxBytes: LIMITS.uploadBodyBytes, spooled: true };
}

function adder(ctx: Context, server: FastifyInstance) {
  return <E extends OpenEndpoint, Seen>(route: OpenRoute<E, Seen>) => {
    const { endpoint, holdsJsonText } = route;
    const gated: GatedRoute<E, Seen> = { ...gateOf(endpoint), route, parse: inputParser(endpoint) };
    server.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { upload: gated.takesFile, inRequestLog: true, unknownApp: endpoint.access.unknownApp },
      schema: endpointSchema(endpoint),
      handler: async (request, reply) => {
        const value = await pass(ctx, gated, request, reply);
        if (value instanceof InSlices) return await sendInSlices(request, reply, value);
        return holdsJsonText ? sendJsonText(request, reply, value) : sendSuccess(request, reply, value);
      },
    });
  };
}

type InputParser<E extends OpenEndpoint> = (
  authenticated: AuthenticatedCall,
  request: FastifyRequest,
) => Pick<CallOf<E>, "params" | "body" | "query">;

/** What the gate has to know of an endpoint, read from it once. */
interface GatedEndpoint {
  scope: Scope | null;
  takesFile: boolean;
  /** Whether the work is done after the transaction that uses up the nonce. */
  isLater: boolean;
}

interface GatedRoute<E extends OpenEndpoint, Seen> extends GatedEndpoint {
  route: OpenRoute<E, Seen>;
  parse: InputParser<E>;
}

function gateOf(endpoint: OpenEndpoint): GatedEndpoint {
  const { method, access } = endpoint;
  const takesFile = endpoint.takesFile === true;
  return { scope: access.scope, takesFile, isLater: method === "GET" || takesFile };
}

/** Second half of step 10 and step 11: the type of the body, then its shape; that of an upload comes later. */
function inputParser<E extends OpenEndpoint>({ body, query, takesFile }: E): InputParser<E> {
  const parseBody = body && bodyParser(body);
  const parseQuery = query && queryParser(query);
  return (authenticated, request) => {
    if (takesFile) checkContentType(authenticated.contentType, "multipart/form-data");
    if (parseBody) checkContentType(authenticated.contentType, "application/json");
    return {
      params: pathParams(request) as PathParams<E["path"]>,
      body: parseBody?.(parseJsonBody(authenticated.body.bytes)) as EndpointBody<E>,
      query: parseQuery?.(request.query) as EndpointQuery<E>,
    };
  };
}

/**
 * Steps 7 to 11. The nonce is used up in the transaction of the work and stays used whatever comes of the work, so
 * every answer, refusals and reads included, waits for that transaction to be on disk.
 */
async function pass<E extends OpenEndpoint, Seen>(
  ctx: Context,
  { route, parse, scope, takesFile, isLater }: GatedRoute<E, Seen>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<EndpointValue<E> | InSlices<EndpointValue<E>>> {
  const { authenticated } = request;
  if (authenticated === null) throw new Error("the route is outside the gate");
  const { app, place, contentType } = authenticated;
  const entry = new QuotaEntry(ctx, app, reply, storedBy(route, takesFile, authenticated));
  const effects: (() => void)[] = [];
  // Judged first, told of in its turn: the lane has to be known before the transaction.
  const judged = judge(() => ({
    app,
    ...parse(authenticated, request),
    rawBody: authenticated.body.bytes,
    upload: null,
    seen: undefined,
    now: ctx.clock.now(),
    afterCommit: (effect: () => void) => effects.push(effect),
    room: (bytes: number) => ctx.largeAnswers.enter(`APP ${app.appId}`, reply.raw, bytes),
  }));
  let arrived: CallOf<E, Seen> | null = null;
  let isGoingOn = false;
  try {
    const arriving = "error" in judged ? judged : arrive(ctx, route, judged);
    // Awaited only where there is something to wait for: each wait is a turn of the microtask queue for every call.
    const found = arriving instanceof Promise ? await arriving : arriving;
    if (!("error" in found)) arrived = found;
    const finding = "error" in found ? found : laneOf(ctx, route, found);
    const laned = finding instanceof Promise ? await finding : finding;
    const input = "error" in laned ? laned : found;
    const lane = "error" in laned ? undefined : laned.name;
    const work = (tx: Db, call: CallOf<E, Seen>) => {
      // It may be run again; what it announced before has been undone.
      effects.length = 0;
      return route.handle(ctx, tx, call);
    };
    const outcome = await ctx.storage.writeSelfContained(async (tx) => {
      await useUpNonce(ctx, tx, authenticated);
      return settle(async () => {
        await entry.enter(tx);
        checkScope(app, scope);
        checkAccept(request.headers.accept);
        if ("error" in input) throw input.error;
        const value = isLater ? null : await withSavepoint(tx, () => work(tx, input));
        return { input, value };
      });
    }, lane);
    if ("error" in outcome) throw outcome.error;
    for (const effect of effects) effect();
    if (outcome.value !== null) return outcome.value;
    if (takesFile && !authenticated.isKept) throw noRoom();
    if (place !== null) {
      const value = await takeUpload(ctx, route, outcome.input, place, contentType);
      for (const effect of effects) effect();
      return value;
    }
    const value = await route.handle(ctx, ctx.storage.db, outcome.input);
    await ctx.storage.synced();
    if (!(value instanceof InSlices)) return value;
    // As long as it is being read the call is under way.
    isGoingOn = true;
    return value.finally(() => entry.leave());
  } finally {
    if (!isGoingOn) entry.leave();
    if (arrived !== null) route.leave?.(arrived);
    authenticated.body[Symbol.dispose]();
    await place?.leave();
  }
}

/** What a call of the route has the service keep. */
function storedBy({ stores }: { stores?: true }, takesFile: boolean, { bodyLength }: AuthenticatedCall): Stored | null {
  if (takesFile || stores) return { use: takesFile ? "upload" : "message", bytes: bodyLength };
  return null;
}

/** Has the route look at what the call is about. */
function arrive<E extends OpenEndpoint, Seen>(
  ctx: Context,
  route: OpenRoute<E, Seen>,
  call: CallOf<E>,
): CallOf<E, Seen> | Promise<CallOf<E, Seen>> {
  // A route that does not look takes what it did not see.
  const withSeen = (seen: Seen | undefined) => Object.assign(call, { seen: seen as Seen });
  return route.arrive === undefined ? withSeen(undefined) : route.arrive(call, ctx).then(withSeen);
}

/** The call's lane. It may be named by what turns out to be wrong in the call. */
function laneOf<E extends OpenEndpoint, Seen>(
  ctx: Context,
  route: OpenRoute<E, Seen>,
  call: CallOf<E, Seen>,
): Lane | { error: unknown } | Promise<Lane | { error: unknown }> {
  const lane = judge(() => ({ name: route.lane?.(call, ctx) }));
  if ("error" in lane) return lane;
  const { name } = lane;
  return name instanceof Promise ? settle(async () => ({ name: await name })) : { name };
}

interface Lane {
  name: string | undefined;
}

/**
 * Looks into the body of an upload, which the rest of the gate has let pass by now, and does the route's work with the
 * file in it.
 */
async function takeUpload<E extends OpenEndpoint, Seen>(
  ctx: Context,
  route: OpenRoute<E, Seen>,
  call: CallOf<E, Seen>,
  place: UploadPlace,
  contentType: string | undefined,
): Promise<EndpointValue<E>> {
  const received = { ...call, upload: await readSpooledUpload(ctx.blobs, place, contentType) };
  const value = await ctx.storage.write((tx) => route.handle(ctx, tx, received));
  if (value instanceof InSlices) throw new Error("an upload is answered whole");
  await route.finish?.(ctx, received, value);
  return value;
}

async function useUpNonce(ctx: Context, tx: Db, { app, nonce, timestamp }: AuthenticatedCall): Promise<void> {
  const use = { appId: app.appId, nonce, timestamp, now: ctx.clock.now() };
  if (await ctx.nonces.take(tx, use)) return;
  const lifetimeMs = ctx.config.limits.nonceTtlMs;
  const refusedUntil = await ctx.nonces.endOf(tx, use);
  // It may be remembered a little longer than it was used for, or have been signed ahead of time.
  const seenAt = refusedUntil === null ? null : Math.min(refusedUntil - lifetimeMs, use.now);
  const details = { nonce, seenAt, refusedUntil, lifetimeMs };
  const forgotten = refusedUntil === null ? ", or its timestamp is of a time whose nonces are no longer kept" : "";
  throw unauthenticated({ check: "nonce", details }, `400004 the nonce has been used before${forgotten}`);
}

/** Turns a refusal into a result, to be told of later. */
function judge<T extends object>(work: () => T): T | { error: unknown } {
  try {
    return work();
  } catch (error) {
    return { error };
  }
}

/** Turns a refusal into a result, so that the transaction, and the nonce in it, is committed all the same. */
async function settle<T extends object>(work: () => Promise<T>): Promise<T | { error: unknown }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TransactionLost) throw error;
    return { error };
  }
}

function checkScope(app: App, scope: Scope | null): void {
  if (scope !== null && !app.scopes.has(scope)) {
    const reason = `the scope ${scope} is not granted`;
    throw new Refusal("SCOPE_MISSING", { check: "scope", details: { scope } }, { reason });
  }
}
