import type { Scope } from "@portico/protocol";
import type { EndpointValue, OpenEndpoint } from "@portico/protocol/endpoints";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../domain/applications/app-directory.ts";
import { readSpooledUpload } from "../../../domain/files/keep-upload.ts";
import type { UploadSlot } from "../../../domain/files/temporary-files.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { checkAccept } from "../../../platform/http/media-types.ts";
import { withSavepoint } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { AuthenticatedCall } from "./authenticate.ts";
import { consumeNonce } from "./consume-nonce.ts";
import { judge, settle } from "./error-as-value.ts";
import type { GateParts } from "./gate-parts.ts";
import type { GatedRoute } from "./gated-route.ts";
import type { CallOf, OpenRoute } from "./open-route.ts";
import { QuotaEntry, type Stored } from "./quota-entry.ts";
import { rehearse } from "./rehearse.ts";

/**
 * Steps 7 to 11. The nonce is consumed in the transaction of the work and stays consumed whatever the result is. So
 * every answer, including refusals and reads, waits for the commit.
 */
export async function pass<E extends OpenEndpoint, Parts extends GateParts, Seen>(
  ctx: Parts,
  gated: GatedRoute<E, Parts, Seen>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<EndpointValue<E> | InSlices<EndpointValue<E>>> {
  const { authenticated } = request;
  if (authenticated === null) throw new Error("the route is outside the gate");
  const { route, takesFile } = gated;
  const { app, slot } = authenticated;
  const entry = new QuotaEntry(ctx, app, reply, storedBy(route, takesFile, authenticated));
  const effects: Effect[] = [];
  // Parse now, because the lane must be known before the transaction; report errors after nonce, quota and scope.
  const judged = judge(() => ({
    app,
    ...gated.parse(authenticated, request),
    rawBody: authenticated.body.bytes,
    upload: null,
    preloaded: undefined,
    now: ctx.clock.now(),
    afterCommit: (effect: Effect) => effects.push(effect),
    room: (bytes: number) => ctx.largeAnswers.reserve(`APP ${app.appId}`, reply.raw, bytes),
  }));
  let arrived: CallOf<E, Seen> | null = null;
  let isGoingOn = false;
  try {
    if (app.rehearsal !== null) await rehearse(ctx, app, request.trace);
    const arriving = "error" in judged ? judged : arrive(ctx, route, judged);
    // Awaits only if necessary: each await costs every call a turn of the microtask queue.
    const found = arriving instanceof Promise ? await arriving : arriving;
    if (!("error" in found)) arrived = found;
    const finding = "error" in found ? found : laneOf(ctx, route, found);
    const laned = finding instanceof Promise ? await finding : finding;
    const input = "error" in laned ? laned : found;
    const lane = "error" in laned ? undefined : laned.name;
    const outcome = await transact(ctx, gated, {
      authenticated,
      accept: request.headers.accept,
      entry,
      effects,
      input,
      lane,
    });
    if ("error" in outcome) throw outcome.error;
    for (const effect of effects) effect();
    if (outcome.value !== null) return outcome.value;
    const value = await workLater(ctx, route, authenticated, outcome.input, effects);
    // An answer that is withheld is never read.
    if (!(value instanceof InSlices) || request.trace.isLost) return value;
    // The call counts as in progress until its answer has been read.
    isGoingOn = true;
    return value.finally(() => entry.release());
  } finally {
    if (!isGoingOn) entry.release();
    if (arrived !== null) route.release?.(arrived);
    authenticated.body[Symbol.dispose]();
    if (slot !== null) await slot.release();
  }
}

/** What is to be done after the commit. */
type Effect = () => void;

/** A call on its way into its transaction. */
interface Entering<E extends OpenEndpoint, Seen> {
  authenticated: AuthenticatedCall;
  /** The Accept header. */
  accept: string | undefined;
  entry: QuotaEntry;
  effects: Effect[];
  /** What was wrong with it when it arrived is told only now. */
  input: CallOf<E, Seen> | { error: unknown };
  lane: string | undefined;
}

/** Runs the transaction that consumes the nonce, with the work in it unless that comes later. */
function transact<E extends OpenEndpoint, Parts extends GateParts, Seen>(
  ctx: Parts,
  { route, scope, isLater }: GatedRoute<E, Parts, Seen>,
  { authenticated, accept, entry, effects, input, lane }: Entering<E, Seen>,
) {
  const work = (tx: Db, call: CallOf<E, Seen>) => {
    // The transaction may be retried; the effects of the rolled-back run are discarded.
    effects.length = 0;
    return route.handle(ctx, tx, call);
  };
  const unit = async (tx: Db) => {
    const consumed = consumeNonce(ctx, tx, authenticated);
    if (!("error" in input)) route.askAhead?.(tx, input);
    await consumed;
    return settle(async () => {
      await entry.acquire(tx);
      checkScope(authenticated.app, scope);
      checkAccept(accept);
      if ("error" in input) throw input.error;
      if (isLater) return { input, value: null };
      const isBare = ctx.storage.dialect === "sqlite" && route.undoesItself?.(input);
      return { input, value: isBare ? await work(tx, input) : await withSavepoint(tx, () => work(tx, input)) };
    });
  };
  const isInStep = isLater || "error" in input || route.inStep?.(input);
  return isInStep
    ? ctx.storage.writeInStep(unit, { lane, selfContained: true })
    : ctx.storage.writeSelfContained(unit, lane);
}

/** The work of uploads and reads, which runs after the transaction that consumes the nonce. */
async function workLater<E extends OpenEndpoint, Parts extends GateParts, Seen>(
  ctx: Parts,
  route: OpenRoute<E, Parts, Seen>,
  { slot, contentType }: AuthenticatedCall,
  call: CallOf<E, Seen>,
  effects: readonly Effect[],
): Promise<EndpointValue<E> | InSlices<EndpointValue<E>>> {
  if (slot !== null) {
    const value = await takeUpload(ctx, route, call, slot, contentType);
    for (const effect of effects) effect();
    return value;
  }
  const value = await route.handle(ctx, ctx.storage.db, call);
  await ctx.storage.synced();
  return value;
}

/** What a call of the route stores. */
function storedBy({ stores }: { stores?: true }, takesFile: boolean, call: AuthenticatedCall): Stored | null {
  const { bodyLength: bytes, isKept } = call;
  return takesFile || stores ? { use: takesFile ? "upload" : "message", bytes, isKept } : null;
}

/** Runs the route's `preload`. */
function arrive<E extends OpenEndpoint, Parts, Seen>(
  ctx: Parts,
  route: OpenRoute<E, Parts, Seen>,
  call: CallOf<E>,
): CallOf<E, Seen> | Promise<CallOf<E, Seen>> {
  // A route without `preload` ignores `preloaded`.
  const withSeen = (seen: Seen | undefined) => Object.assign(call, { preloaded: seen as Seen });
  return route.preload === undefined ? withSeen(undefined) : route.preload(call, ctx).then(withSeen);
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
  slot: UploadSlot,
  contentType: string | undefined,
): Promise<EndpointValue<E>> {
  const received = { ...call, upload: await readSpooledUpload(ctx.blobs, slot, contentType) };
  const value = await ctx.storage.write((tx) => route.handle(ctx, tx, received));
  if (value instanceof InSlices) throw new Error("an upload is answered whole");
  await route.finish?.(ctx, received, value);
  return value;
}

/** @throws Refusal 403 when the application does not hold the scope. */
export function checkScope(app: App, scope: Scope | null): void {
  if (scope !== null && !app.scopes.has(scope)) {
    const reason = `the scope ${scope} is not granted`;
    throw new Refusal("SCOPE_MISSING", { check: "scope", details: { scope } }, { reason });
  }
}
