import type { EndpointBody, EndpointQuery, EndpointValue, OpenEndpoint, PathParams } from "@portico/protocol/endpoints";
import type { App } from "../../../domain/applications/app-directory.ts";
import type { Upload } from "../../../domain/files/keep-upload.ts";
import type { InSlices } from "../../../platform/http/in-slices.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { RouteParts } from "../../common/parts.ts";

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
  /** The result of the route's `preload`. */
  preloaded: Seen;
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
  preload?: (call: CallOf<E>, ctx: Parts) => Promise<Seen>;
  /** Called when an arrived call is about to be answered, whatever its result. */
  release?: (call: CallOf<E, Seen>) => void;
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
   * Asks ahead for what `handle` will read (see `ahead` of a joint query), together with the use of the nonce. Must not fail,
   * whatever the call's fields are.
   */
  askAhead?: (tx: Db, call: CallOf<E, Seen>) => void;
  /**
   * Whether `handle`, on SQLite, has changed nothing when it fails, so that it needs no savepoint. Left out: it may have.
   */
  undoesItself?: (call: CallOf<E, Seen>) => boolean;
  /**
   * Runs in the transaction that consumes the nonce, in its own savepoint unless it undoes itself; for reads and uploads it runs after that
   * transaction.
   */
  handle: (ctx: Parts, db: Db, call: CallOf<E, Seen>) => Promise<EndpointValue<E> | InSlices<EndpointValue<E>>>;
  /** The part of an upload that cannot be transactional: runs after the commit and before the answer. */
  finish?: (ctx: Parts, call: CallOf<E, Seen>, value: EndpointValue<E>) => Promise<void>;
}
