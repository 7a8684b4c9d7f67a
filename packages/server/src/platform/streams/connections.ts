import type { ServerResponse } from "node:http";
import { ApiError, STREAM_CLOSES, type StreamClose } from "@portico/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import type { Clock } from "../clock/clock.ts";
import { bearerToken } from "../http/bearer-token.ts";
import type { EventLoopTurns } from "../limits/event-loop-turns.ts";
import { ClientSocket } from "./client-socket.ts";
import { FrameAllowance, OwnersAllowances } from "./frame-allowance.ts";
import { Heartbeat, type Stream } from "./heartbeat.ts";
import { letGoOfRequest } from "./let-go-of-request.ts";
import { readAuthFrame } from "./read-frame.ts";
import type { StreamKind, StreamSession } from "./stream-kind.ts";
import type { StreamSlots } from "./stream-slots.ts";

const SIGN_IN_WITHIN_MS = 10_000;
/** The longest frame before the sign-in, in bytes; it can only be the sign-in itself. */
const MAX_AUTH_FRAME = 4_096;

/** Dependencies shared by streams of all kinds. */
export interface ConnectionParts {
  clock: Clock;
  log: Logger;
  /** The turns in which frames are handled. */
  turns: EventLoopTurns;
  /** Each stream takes one. */
  slots: StreamSlots;
  /** The most open connections of one kind that have not sent anything. */
  mostSilent: number;
}

/** The state of a stream whose owner signed in. */
type SignedIn<Session extends StreamSession> = Omit<Stream<Session>, "socket">;

/** A stream whose owner signed in before it was open. */
interface Admitted<Session extends StreamSession> {
  signedIn: SignedIn<Session>;
  /** Ends the session when the connection ends before the stream is open. */
  end(): void;
}

/** The streams of one kind in this process. */
export class Connections<Owner, Session extends StreamSession> {
  readonly #kind: StreamKind<Owner, Session>;
  readonly #parts: ConnectionParts;
  readonly #allowances: OwnersAllowances;
  readonly #heartbeat: Heartbeat<Owner, Session>;
  readonly #open = new Set<ClientSocket>();
  /** Connections that have not signed in or sent anything, oldest first. */
  readonly #silent = new Set<ClientSocket>();
  /** The number of streams per owner, including those being opened. */
  readonly #streamsOf = new Map<string, number>();
  /** Streams whose owner signed in by header; they receive events before the connection is open. */
  readonly #admitted = new WeakMap<FastifyRequest, Admitted<Session>>();
  /** The responses of requests that become streams. */
  readonly #responses = new WeakMap<FastifyRequest, ServerResponse>();
  #goodbye: StreamClose | null = null;
  #closing: Promise<void> | null = null;

  constructor(kind: StreamKind<Owner, Session>, parts: ConnectionParts) {
    this.#kind = kind;
    this.#parts = parts;
    this.#allowances = new OwnersAllowances(parts.clock);
    this.#heartbeat = new Heartbeat(kind, parts.log);
    kind.onSignOut((ownerId) => this.#heartbeat.check(ownerId));
  }

  get path(): string {
    return this.#kind.path;
  }

  /** The number of open streams, those that have not signed in yet included. */
  get count(): number {
    return this.#open.size;
  }

  /** Closes all streams, and resolves once the frames that have come are dealt with; streams opened later are closed at once. */
  async close(why: StreamClose): Promise<void> {
    this.#goodbye ??= why;
    this.#closing ??= this.#close(why);
    await this.#closing;
  }

  async #close(why: StreamClose): Promise<void> {
    this.#heartbeat.stop();
    await Promise.all([...this.#open].map((socket) => socket.finish(why)));
    this.#kind.close?.();
  }

  /**
   * Signs in by the Authorization header, if there is one, before the connection becomes a WebSocket.
   *
   * @throws ApiError 400001 for an invalid token, 400008 when the owner may not connect from this origin, 429001 when
   * the owner has the maximum number of streams.
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#responses.set(request, reply.raw);
    if (request.headers.authorization === undefined) return;
    const accessToken = bearerToken(request);
    const owner = await this.#kind.ownerOf(accessToken);
    if (owner === null) throw new ApiError("NOT_SIGNED_IN");
    const { origin } = request.headers;
    await this.#kind.checkPlace?.(owner, origin);
    const { socket: raw } = request.raw;
    let end = () => {};
    const session = await this.#begin(owner, (close) => {
      end = close;
      raw.once("close", end);
    });
    if (raw.destroyed) end();
    this.#admitted.set(request, { signedIn: { session, accessToken, origin }, end });
  }

  /** Accepts a connection. If it has not signed in yet, its first frame must do so. */
  open(webSocket: WebSocket, request: FastifyRequest): void {
    const { socket: raw } = request.raw;
    const response = this.#responses.get(request);
    const admitted = this.#admitted.get(request);
    if (response !== undefined) letGoOfRequest(webSocket, raw, response);
    const socket = new ClientSocket(webSocket, raw, new FrameAllowance(this.#parts.clock), this.#parts.turns);
    this.#open.add(socket);
    socket.onClose(() => this.#open.delete(socket));
    if (this.#goodbye !== null) {
      socket.close(this.#goodbye);
    } else if (admitted !== undefined) {
      // From now on the session lasts until the frames that came before the end are dealt with.
      raw.off("close", admitted.end);
      socket.onClose(admitted.end);
      this.#read(socket, this.#follow(socket, admitted.signedIn));
    } else {
      this.#awaitSignIn(socket);
      this.#read(socket, request);
    }
  }

  /** Reads frames. While the owner is not known yet, but only the request, the first one must be the sign-in. */
  #read(socket: ClientSocket, from: Stream<Session> | FastifyRequest): void {
    let known = from;
    const take = async (text: string) => {
      try {
        // The request stays in memory only until the sign-in.
        if (!("session" in known)) known = (await this.#signIn(socket, known, text)) ?? known;
        else if (!(await known.session.receive(text))) socket.close(STREAM_CLOSES.UNKNOWN_FRAME);
      } catch (error) {
        this.#parts.log.warn({ err: error }, "a frame of a stream could not be handled");
        socket.close(STREAM_CLOSES.FAILED);
      }
    };
    socket.read({ take });
  }

  /**
   * Begins a session for an owner.
   *
   * @param endBy has the session ended, by the function that it gets, when the connection has; that can be before it begins.
   * @throws ApiError 429001 when the owner has the maximum number of streams, or opens them too often.
   */
  async #begin(owner: Owner, endBy: (end: () => void) => void): Promise<Session> {
    const session = this.#kind.open(owner, this.#reserve(this.#kind.idOf(owner)));
    endBy(() => session.close());
    try {
      if (this.#goodbye === null) await session.begin();
    } catch (error) {
      session.close();
      throw error;
    }
    return session;
  }

  /** Takes a place of the owner and one of the process. Returns a function that releases both. */
  #reserve(ownerId: string): () => void {
    const count = this.#streamsOf.get(ownerId) ?? 0;
    const leavePlace =
      count < this.#kind.maxPerOwner && this.#allowances.tryOpen(ownerId) ? this.#parts.slots.acquire() : null;
    if (leavePlace === null) {
      throw new ApiError("STREAMS_TOO_MANY", { retryAfterSeconds: 1 });
    }
    this.#streamsOf.set(ownerId, count + 1);
    return () => {
      leavePlace();
      const left = (this.#streamsOf.get(ownerId) ?? 0) - 1;
      if (left > 0) this.#streamsOf.set(ownerId, left);
      else this.#streamsOf.delete(ownerId);
    };
  }

  /** Waits, for a limited time, for the first frame, which must be `{type: "auth", accessToken}`. */
  #awaitSignIn(socket: ClientSocket): void {
    // Silent connections are closed when there are too many, so that they cannot keep others out.
    const [oldest] = this.#silent;
    if (oldest !== undefined && this.#silent.size >= this.#parts.mostSilent) {
      this.#silent.delete(oldest);
      oldest.terminate();
    }
    this.#silent.add(socket);
    const timer = setTimeout(() => {
      if (this.#silent.delete(socket)) socket.close(STREAM_CLOSES.NOT_SIGNED_IN);
    }, SIGN_IN_WITHIN_MS);
    const onHeard = () => {
      clearTimeout(timer);
      this.#silent.delete(socket);
    };
    // From here on, delays are the service's own.
    socket.onHeartbeat = onHeard;
    socket.onClose(onHeard);
  }

  async #signIn(socket: ClientSocket, request: FastifyRequest, text: string): Promise<Stream<Session> | null> {
    const accessToken = text.length > MAX_AUTH_FRAME ? null : readAuthFrame(text);
    const owner = accessToken === null ? null : await this.#kind.ownerOf(accessToken);
    if (accessToken === null || owner === null) {
      socket.close(STREAM_CLOSES.NOT_SIGNED_IN);
      return null;
    }
    try {
      const { origin } = request.headers;
      await this.#kind.checkPlace?.(owner, origin);
      const session = await this.#begin(owner, (end) => socket.onClose(end));
      if (!socket.isOpen && !socket.hasFrames) return null;
      socket.send(JSON.stringify({ type: "ready" }));
      return this.#follow(socket, { session, accessToken, origin });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === "QUOTA_EXCEEDED") socket.close(STREAM_CLOSES.TOO_MANY_STREAMS);
      else socket.close(STREAM_CLOSES.NOT_ALLOWED_HERE);
      return null;
    }
  }

  #follow(socket: ClientSocket, signedIn: SignedIn<Session>): Stream<Session> {
    const { session } = signedIn;
    const stream = { socket, ...signedIn };
    socket.allowance.belongTo(this.#allowances.of(session.ownerId));
    this.#heartbeat.add(stream);
    socket.onClose(() => this.#heartbeat.remove(stream));
    session.attach(socket);
    return stream;
  }
}
