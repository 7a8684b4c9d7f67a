import { ApiError, LIMITS } from "@portico/protocol";
import type { Endpoint, EndpointBody, EndpointQuery, EndpointValue, PathParams } from "@portico/protocol/endpoints";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CallOrigin } from "../../domain/accounts/developer.ts";
import { readSpooledUpload, type Upload } from "../../domain/files/keep-upload.ts";
import { spoolBody } from "../../domain/files/spool-body.ts";
import type { TemporaryFiles, UploadSlot } from "../../domain/files/temporary-files.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { type FreeSpace, noRoom } from "../../platform/disk/free-space.ts";
import { sendInSlices, sendJsonText } from "../../platform/http/answer.ts";
import type { BodiesInFlight } from "../../platform/http/bodies-in-flight.ts";
import { BufferedBody, NO_BODY } from "../../platform/http/buffered-body.ts";
import { addressBlock } from "../../platform/http/client-address.ts";
import { InSlices } from "../../platform/http/in-slices.ts";
import { parseJsonBody } from "../../platform/http/json-body.ts";
import type { LargeAnswers } from "../../platform/http/large-answers.ts";
import { checkContentType } from "../../platform/http/media-types.ts";
import { pathParams } from "../../platform/http/path-params.ts";
import { checkContentLength, STRANGERS_BODY_BYTES } from "../../platform/http/raw-body.ts";
import { announcesBody } from "../../platform/http/unread-bodies.ts";
import { bodyParser, queryParser } from "../../platform/http/validate.ts";
import { EventLoopTurns } from "../../platform/limits/event-loop-turns.ts";
import type { Owner } from "../../platform/limits/owner.ts";
import type { OwnerBounds } from "../../platform/limits/owner-bounds.ts";
import type { OwnerRates } from "../../platform/limits/owner-rates.ts";
import { SideBySide } from "../../platform/limits/side-by-side.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { answerSchema } from "./answer-schema.ts";
import { originOf } from "./call-origin.ts";

/** What it takes to receive calls and to answer them with ApiResults. */
export interface ResultApiParts {
  storage: Storage;
  blobs: Blobs;
  temporaryFiles: TemporaryFiles;
  freeSpace: FreeSpace;
  ownerBounds: OwnerBounds;
  ownerRates: OwnerRates;
  bodies: BodiesInFlight;
  largeAnswers: LargeAnswers;
}

/** The input of a call, independent of the caller. */
export interface ResultCall<Body, Query, Params = unknown> {
  params: Params;
  body: Body;
  /** The raw body. */
  rawBody: Buffer;
  query: Query;
  /** The uploaded file. */
  upload: Upload | null;
  /** IP address of the caller. */
  address: string;
  /** The same, and the program that called. */
  origin: CallOrigin;
  /** The Cookie header. */
  cookies: string;
  /** Adds a Set-Cookie header to the answer. */
  setCookie(cookie: string): void;
  /** Waits until an answer of this many bytes fits into memory (see LargeAnswers). Call it before reading them. */
  room(bytes: number): Promise<void>;
}

/** A call of an endpoint. */
export type ResultCallOf<E extends Endpoint> = ResultCall<EndpointBody<E>, EndpointQuery<E>, PathParams<E["path"]>>;

/** One endpoint, independent of the caller. */
export interface ResultRoute<E extends Endpoint> {
  endpoint: E;
  /** Set for a route that stores its body, which may be long; uploads are always stored. */
  stores?: true;
}

/** How the endpoints of an API identify callers. */
export interface Callers<Caller> {
  /** @throws ApiError 401 for an unknown caller. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Caller>;
  /** The owner that the caller's uploads, stored data and answers are charged to. Null for an unknown caller. */
  owner(caller: Caller, request: FastifyRequest): Owner | null;
}

/** The implementation of an endpoint. */
export interface ResultHandler<Caller, E extends Endpoint> {
  /** Throws when the caller may not upload; runs before the file is received. */
  admit?(caller: Caller): Promise<void>;
  handle(caller: Caller, call: ResultCallOf<E>): Promise<EndpointValue<E> | InSlices<EndpointValue<E>>>;
}

/** Registers one endpoint of an API. */
export type AddResultRoute = <Caller, E extends Endpoint>(
  route: ResultRoute<E>,
  callers: Callers<Caller>,
  handler: ResultHandler<Caller, E>,
) => void;

/** After this many milliseconds, no further call begins in the same turn of the event loop. */
const BEGIN_FOR_MS = 1;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the route stores its body. */
    stores?: boolean;
  }
  interface FastifyRequest {
    /**
     * The owner of the call in an API that answers with ApiResults; null until the caller is identified, and for
     * unknown callers.
     */
    owner: Owner | null;
  }
}

/**
 * Registers endpoints that answer with an ApiResult and use a Bearer token or none, not a signature. The caller is
 * identified before any of the body is read. Few such calls begin per turn of the event loop, and few are identified at
 * once, so that a burst leaves room for applications' calls, here and at the database.
 */
export function resultApi(ctx: ResultApiParts, register: (add: AddResultRoute) => void) {
  return async (server: FastifyInstance) => {
    server.setValidatorCompiler(() => () => true);
    server.removeAllContentTypeParsers();
    server.decorateRequest("owner", null);
    const turns = new EventLoopTurns({ ms: BEGIN_FOR_MS, monotonic: () => performance.now() });
    server.addHook("onRequest", ({ raw, clientAddress }, _reply, done) => {
      if (!announcesBody(raw)) return turns.run(done);
      const begun = ctx.bodies.beforeRead(raw, addressBlock(clientAddress), () => turns.next());
      Promise.resolve(begun).then(() => done(), done);
    });
    server.addContentTypeParser("application/json", async (request: FastifyRequest) => {
      const { raw, owner, clientAddress } = request;
      // Unidentified callers may send less.
      const maxBytes = owner === null ? STRANGERS_BODY_BYTES : LIMITS.ordinaryBodyBytes;
      checkContentLength(raw, maxBytes);
      if (request.routeOptions.config.stores && owner !== null) {
        // When the allowance is used up, refusing the call is cheaper than reading its body.
        const { "content-length": announced } = raw.headers;
        ctx.ownerBounds.checkMessage(owner, Number(announced ?? 0));
        // A body whose length is not announced counts as the longest, or nobody would announce any.
        await ctx.ownerRates.enter(owner, Number(announced ?? maxBytes), raw);
      }
      return await ctx.bodies.readJson(raw, { caller: nameOf(owner), address: addressBlock(clientAddress) }, maxBytes);
    });
    // Not read here: a route for uploads reads the body after it has identified the caller.
    server.addContentTypeParser("multipart/form-data", (request, _payload, done) =>
      done(request.routeOptions.config.upload ? null : new ApiError("UNSUPPORTED_MEDIA_TYPE"), undefined),
    );
    register(adder(ctx, server));
  };
}

function adder(ctx: ResultApiParts, server: FastifyInstance): AddResultRoute {
  const identification = new SideBySide();
  return <Caller, E extends Endpoint>(
    { endpoint, stores }: ResultRoute<E>,
    callers: Callers<Caller>,
    { admit, handle }: ResultHandler<Caller, E>,
  ) => {
    const takesFile = endpoint.takesFile === true;
    const parseBody = endpoint.body && bodyParser(endpoint.body);
    const parseQuery = endpoint.query && queryParser(endpoint.query);
    const identified = new WeakMap<FastifyRequest, { caller: Caller }>();
    server.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { upload: takesFile, stores: stores === true },
      schema: answerSchema(endpoint),
      onRequest: async (request, reply) => {
        const { raw, clientAddress } = request;
        const identify = () => identification.run(raw, () => callers.identify(request, reply));
        const caller = await ctx.bodies.beforeRead(raw, addressBlock(clientAddress), identify);
        identified.set(request, { caller });
        request.owner = callers.owner(caller, request);
      },
      handler: async (request, reply) => {
        using held = request.body instanceof BufferedBody ? request.body : NO_BODY;
        const { bytes: rawBody } = held;
        const { caller } = identified.get(request) ?? unidentified();
        const { owner } = request;
        const said = {
          params: pathParams(request) as PathParams<E["path"]>,
          body: parseBody?.(parseJsonBody(held)) as EndpointBody<E>,
          rawBody,
          query: parseQuery?.(request.query) as EndpointQuery<E>,
          address: request.clientAddress,
          origin: originOf(request),
          cookies: request.headers.cookie ?? "",
          setCookie: (cookie: string) => void reply.header("set-cookie", cookie),
        };
        const room = (bytes: number) => ctx.largeAnswers.reserve(nameOf(owner), reply.raw, bytes);
        const work = (upload: Upload | null) => handle(caller, { ...said, upload, room });
        const admitted = async () => await admit?.(caller);
        if (stores && owner !== null) checkMessage(ctx, owner, rawBody);
        const value =
          takesFile && owner !== null ? await withUpload(ctx, request, { owner, admitted, work }) : await work(null);
        await ctx.storage.synced();
        if (value instanceof InSlices) return await sendInSlices(request, reply, value);
        return sendJsonText(request, reply, value);
      },
    });
  };
}

/** Who shares the memory for bodies and answers. Anybody can be many visitors whom nobody names: they are one. */
function nameOf(owner: Owner | null): string {
  if (owner === null) return "strangers";
  const { type, id, anonymousAt } = owner;
  return anonymousAt === undefined ? `${type} ${id}` : `${type} at ${anonymousAt}`;
}

function unidentified(): never {
  throw new Error("the call has not been identified");
}

/** @throws ApiError 429001 when there is no room to store the body, or its sender has exceeded the allowance. */
function checkMessage({ freeSpace, ownerBounds }: ResultApiParts, owner: Owner, body: Buffer): void {
  freeSpace.check("message");
  ownerBounds.takeMessage(owner, body.length);
  freeSpace.storing(body.length);
}

/**
 * Receives the file of an upload, runs `work` with it, and removes the temporary files. The limits of this process are
 * checked before `admitted`, which queries the database: callers who are refused for lack of a slot retry at once, and
 * there may be many.
 */
async function withUpload<T>(
  ctx: ResultApiParts,
  { raw }: FastifyRequest,
  { owner, admitted, work }: { owner: Owner; admitted(): Promise<void>; work(upload: Upload): Promise<T> },
): Promise<T> {
  const contentType = raw.headers["content-type"];
  checkContentType(contentType, "multipart/form-data");
  checkContentLength(raw, LIMITS.uploadBodyBytes);
  ctx.freeSpace.check("upload");
  const announced = Number(raw.headers["content-length"] ?? 0);
  const count = ctx.ownerBounds.takeUpload(owner, announced);
  let kept = 0;
  let slot: UploadSlot | null = null;
  try {
    slot = await ctx.temporaryFiles.acquireNow(owner);
    await admitted();
    const { bodyLength, isKept } = await spoolBody(raw, slot, LIMITS.uploadBodyBytes);
    if (!isKept) throw noRoom();
    const value = await work(await readSpooledUpload(ctx.blobs, slot, contentType));
    kept = bodyLength;
    return value;
  } finally {
    count(kept);
    await slot?.release();
  }
}
