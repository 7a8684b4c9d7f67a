import { type ApiErrorCode, LIMITS, type Scope, type Stated } from "@portico/protocol";
import type { EndpointBody, EndpointQuery, EndpointValue, OpenEndpoint, PathParams } from "@portico/protocol/endpoints";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../domain/applications/app-directory.ts";
import { readSpooledUpload, type Upload } from "../../../domain/files/keep-upload.ts";
import type { UploadPlace } from "../../../domain/files/temporary-files.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { sendInSlices, sendJsonText, sendSuccess } from "../../../platform/http/answer.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { parseJsonBody } from "../../../platform/http/json-body.ts";
import { checkAccept, checkContentType } from "../../../platform/http/media-types.ts";
import { pathParams } from "../../../platform/http/path-params.ts";
import { bodyParser, queryParser } from "../../../platform/http/validate.ts";
import { TransactionLost, withSavepoint } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { endpointSchema } from "../../common/endpoint-schema.ts";
import type { RouteParts } from "../../common/parts.ts";
import { type AuthenticatedCall, authenticate, type BodyRule, unauthenticated } from "./authenticate.ts";
import type { GateParts } from "./gate-parts.ts";
import { QuotaEntry, type Stored } from "./quota-entry.ts";

/** A call that has passed all checks of the gate. */
export interface Call<Body, Query, Seen = undefined, Params = unknown> {
  app: App;
  params: Params;
  body: Body;
  /** The raw body. */
  rawBody: Buffer;
  query: Query;
  /** The uploaded file. */
  upload: Upload | null;
  /** The result of the route's `arrive`. */
  seen: Seen;
  /** Start of the work, in epoch milliseconds. */
  now: number;
  /** Registers an effect to run after the commit, such as notifying others of the change. */
  afterCommit(effect: () => void): void;
  /** Waits until an answer of this many bytes fits into memory (see LargeAnswers). Call it before reading them. */
  room(bytes: number): Promise<void>;
}

/** A call of an endpoint. */
export type CallOf<E extends OpenEndpoint, Seen = undefined> = Call<
  EndpointBody<E>,
  EndpointQuery<E>,
  Seen,
  PathParams<E["path"]>
>;

/** One endpoint of the open API and its implementation, with the parts that this needs. */
export interface OpenRoute<E extends OpenEndpoint, Parts = RouteParts, Seen = undefined> {
  endpoint: E;
  /** Set for a route that stores its body, which may be long; uploads are always stored. */
  stores?: true;
  /** Set for a route whose value contains JsonTexts. */
  holdsJsonText?: true;
  /**
   * Reads what the call is about when it arrives, before it queues for its lane. `lane` and `handle` receive the
   * result, which may be outdated by then.
   */
  arrive?: (call: CallOf<E>, ctx: Parts) => Promise<Seen>;
  /** Called when an arrived call is about to be answered, whatever its result. */
  leave?: (call: CallOf<E, Seen>) => void;
  /**
   * Names the resource that concurrent calls contend for, such as a conversation's counter; see Storage.write.
   * Undefined when there is none.
   */
  lane?: (call: CallOf<E, Seen>, ctx: Parts) => string | undefined | Promise<string | undefined>;
  /**
   * Whether a call shares a transaction with others, if there are many (see Storage.writeInStep). Reads and uploads do
   * in any case.
   */
  inStep?: (call: CallOf<E, Seen>) => boolean;
  /**
   * Runs in the transaction that consumes the nonce, in its own savepoint; for reads and uploads it runs after that
   * transaction.
   */
  handle: (ctx: Parts, db: Db, call: CallOf<E, Seen>) => Promise<EndpointValue<E> | InSlices<EndpointValue<E>>>;
  /** The part of an upload that cannot be transactional: runs after the commit and before the answer. */
  finish?: (ctx: Parts, call: CallOf<E, Seen>, value: EndpointValue<E>) => Promise<void>;
}

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
    register(adder(ctx, server));
  };
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

/** What the gate needs of an endpoint, computed once. */
interface GatedEndpoint {
  scope: Scope | null;
  takesFile: boolean;
  /** Whether the work runs after the transaction that consumes the nonce. */
  isLater: boolean;
}

interface GatedRoute<E extends OpenEndpoint, Parts, Seen> extends GatedEndpoint {
  route: OpenRoute<E, Parts, Seen>;
  parse: InputParser<E>;
}

function gateOf(endpoint: OpenEndpoint): GatedEndpoint {
  const { method, access } = endpoint;
  const takesFile = endpoint.takesFile === true;
  return { scope: access.scope, takesFile, isLater: method === "GET" || takesFile };
}

/** The second half of step 10 and step 11: the body's type, then its shape; an upload's body is parsed later. */
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
 * Steps 7 to 11. The nonce is consumed in the transaction of the work and stays consumed whatever the result is. So
 * every answer, including refusals and reads, waits for the commit.
 */
async function pass<E extends OpenEndpoint, Parts extends GateParts, Seen>(
  ctx: Parts,
  { route, parse, scope, takesFile, isLater }: GatedRoute<E, Parts, Seen>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<EndpointValue<E> | InSlices<EndpointValue<E>>> {
  const { authenticated } = request;
  if (authenticated === null) throw new Error("the route is outside the gate");
  const { app, place, contentType } = authenticated;
  const entry = new QuotaEntry(ctx, app, reply, storedBy(route, takesFile, authenticated));
  const effects: (() => void)[] = [];
  // Parse now, because the lane must be known before the transaction; report errors after nonce, quota and scope.
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
    // Awaits only if necessary: each await costs every call a turn of the microtask queue.
    const found = arriving instanceof Promise ? await arriving : arriving;
    if (!("error" in found)) arrived = found;
    const finding = "error" in found ? found : laneOf(ctx, route, found);
    const laned = finding instanceof Promise ? await finding : finding;
    const input = "error" in laned ? laned : found;
    const lane = "error" in laned ? undefined : laned.name;
    const work = (tx: Db, call: CallOf<E, Seen>) => {
      // The transaction may be retried; the effects of the rolled-back run are discarded.
      effects.length = 0;
      return route.handle(ctx, tx, call);
    };
    const unit = async (tx: Db) => {
      await useUpNonce(ctx, tx, authenticated);
      return settle(async () => {
        await entry.enter(tx);
        checkScope(app, scope);
        checkAccept(request.headers.accept);
        if ("error" in input) throw input.error;
        const value = isLater ? null : await withSavepoint(tx, () => work(tx, input));
        return { input, value };
      });
    };
    const isInStep = isLater || "error" in input || route.inStep?.(input);
    const outcome = isInStep
      ? await ctx.storage.writeInStep(unit, { lane, selfContained: true })
      : await ctx.storage.writeSelfContained(unit, lane);
    if ("error" in outcome) throw outcome.error;
    for (const effect of effects) effect();
    if (outcome.value !== null) return outcome.value;
    if (place !== null) {
      const value = await takeUpload(ctx, route, outcome.input, place, contentType);
      for (const effect of effects) effect();
      return value;
    }
    const value = await route.handle(ctx, ctx.storage.db, outcome.input);
    await ctx.storage.synced();
    if (!(value instanceof InSlices)) return value;
    // The call counts as in progress until its answer has been read.
    isGoingOn = true;
    return value.finally(() => entry.leave());
  } finally {
    if (!isGoingOn) entry.leave();
    if (arrived !== null) route.leave?.(arrived);
    authenticated.body[Symbol.dispose]();
    await place?.leave();
  }
}

/** What a call of the route stores. */
function storedBy({ stores }: { stores?: true }, takesFile: boolean, call: AuthenticatedCall): Stored | null {
  const { bodyLength: bytes, isKept } = call;
  return takesFile || stores ? { use: takesFile ? "upload" : "message", bytes, isKept } : null;
}

/** Runs the route's `arrive`. */
function arrive<E extends OpenEndpoint, Parts, Seen>(
  ctx: Parts,
  route: OpenRoute<E, Parts, Seen>,
  call: CallOf<E>,
): CallOf<E, Seen> | Promise<CallOf<E, Seen>> {
  // A route without `arrive` ignores `seen`.
  const withSeen = (seen: Seen | undefined) => Object.assign(call, { seen: seen as Seen });
  return route.arrive === undefined ? withSeen(undefined) : route.arrive(call, ctx).then(withSeen);
}

/** The call's lane. It may be derived from fields that turn out to be invalid. */
function laneOf<E extends OpenEndpoint, Parts, Seen>(
  ctx: Parts,
  route: OpenRoute<E, Parts, Seen>,
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

/** Parses the body of an upload, after all other checks of the gate, and runs the route's work with the file. */
async function takeUpload<E extends OpenEndpoint, Parts extends GateParts, Seen>(
  ctx: Parts,
  route: OpenRoute<E, Parts, Seen>,
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

async function useUpNonce(ctx: GateParts, tx: Db, { app, nonce, timestamp }: AuthenticatedCall): Promise<void> {
  const use = { appId: app.appId, nonce, timestamp, now: ctx.clock.now() };
  if (await ctx.nonces.take(tx, use)) return;
  const lifetimeMs = ctx.config.limits.nonceTtlMs;
  const refusedUntil = await ctx.nonces.endOf(tx, use);
  // The nonce may be remembered slightly longer than it was valid, or may have been signed with a future timestamp.
  const seenAt = refusedUntil === null ? null : Math.min(refusedUntil - lifetimeMs, use.now);
  const details = { nonce, seenAt, refusedUntil, lifetimeMs };
  const forgotten = refusedUntil === null ? ", or its timestamp is of a time whose nonces are no longer kept" : "";
  throw unauthenticated({ check: "nonce", details }, `400004 the nonce has been used before${forgotten}`);
}

/** Returns an error as a value, to be thrown later. */
function judge<T extends object>(work: () => T): T | { error: unknown } {
  try {
    return work();
  } catch (error) {
    return { error };
  }
}

/** Returns an error as a value, so that the transaction, and with it the nonce, is committed. */
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
