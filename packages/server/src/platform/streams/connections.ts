import type { Socket } from "node:net";
import { ApiError, STREAM_CLOSES, type StreamClose } from "@portico/protocol";
import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import type { Clock } from "../clock/clock.ts";
import { bearerToken } from "../http/bearer-token.ts";
import type { EventLoopTurns } from "../limits/event-loop-turns.ts";
import { ClientSocket } from "./client-socket.ts";
import { FrameAllowance, OwnersAllowances } from "./frame-allowance.ts";
import { Heartbeat, type Stream } from "./heartbeat.ts";
import { readAuthFrame } from "./read-frame.ts";
import type { StreamKind, StreamSession } from "./stream-kind.ts";
import type { StreamPlaces } from "./stream-places.ts";

const SIGN_IN_WITHIN_MS = 10_000;
/** What a frame that signs in may have, in bytes; before, there is no other. */
const MAX_AUTH_FRAME = 4_096;

/** What the streams of all kinds share. */
export interface ConnectionParts {
  clock: Clock;
  log: Logger;
  /** In which frames are handled. */
  turns: EventLoopTurns;
  /** Of which each stream takes one. */
  places: StreamPlaces;
  /** How many connections of one kind may be open and have said nothing yet. */
  mostSilent: number;
}

/** What is known of a stream whose owner signed in before it was open. */
type SignedIn<Session extends StreamSession> = Pick<Stream<Session>, "session" | "accessToken">;

/** The streams of one kind in this process. */
export class Connections<Owner, Session extends StreamSession> {
  readonly #kind: StreamKind<Owner, Session>;
  readonly #parts: ConnectionParts;
  readonly #allowances: OwnersAllowances;
  readonly #heartbeat: Heartbeat<Owner, Session>;
  readonly #open = new Set<ClientSocket>();
  /** Those that have not signed in and said nothing yet, the oldest first. */
  readonly #silent = new Set<ClientSocket>();
  /** How many streams each owner has, those still being opened included. */
  readonly #streamsOf = new Map<string, number>();
  /** Streams whose owner signed in by header: they watch before the connection is open. */
  readonly #admitted = new WeakMap<FastifyRequest, SignedIn<Session>>();
  #goodbye: StreamClose | null = null;

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

  /** Closes all streams; streams opened later are closed immediately. */
  close(why: StreamClose): void {
    if (this.#goodbye !== null) return;
    this.#goodbye = why;
    this.#heartbeat.stop();
    for (const socket of this.#open) socket.close(why);
    this.#kind.close?.();
  }

  /**
   * Signs in by the Authorization header, if there is one, before the connection is a WebSocket.
   *
   * @throws ApiError 400001 when the token is nobody's, 400008 when they may not from here, 429001 when they have as many
   *   streams as there may be.
   */
  async admit(request: FastifyRequest): Promise<void> {
    if (request.headers.authorization === undefined) return;
    const accessToken = bearerToken(request);
    const owner = await this.#kind.ownerOf(accessToken);
    if (owner === null) throw new ApiError("NOT_SIGNED_IN");
    await this.#kind.checkPlace?.(owner, request);
    this.#admitted.set(request, { session: await this.#begin(owner, request.raw.socket), accessToken });
  }

  /** Takes a connection over; one that has not signed in is to do so with its first frame. */
  open(webSocket: WebSocket, request: FastifyRequest): void {
    const { socket: raw } = request.raw;
    const signedIn = this.#admitted.get(request);
    const socket = new ClientSocket(webSocket, raw, new FrameAllowance(this.#parts.clock), this.#parts.turns);
    this.#open.add(socket);
    socket.onClose(() => this.#open.delete(socket));
    if (this.#goodbye !== null) {
      socket.close(this.#goodbye);
      return;
    }
    let stream = signedIn === undefined ? null : this.#follow(socket, signedIn);
    if (stream === null) this.#awaitSignIn(socket);
    socket.read(async (text) => {
      try {
        if (stream === null) stream = await this.#signIn(socket, request, text);
        else if (!(await stream.session.take(text))) socket.close(STREAM_CLOSES.UNKNOWN_FRAME);
      } catch (error) {
        this.#parts.log.warn({ err: error }, "a frame of a stream could not be handled");
        socket.close(STREAM_CLOSES.FAILED);
      }
    });
  }

  /**
   * Begins to watch for an owner. The session ends with the connection, which may be gone before it is a WebSocket.
   *
   * @throws ApiError 429001 when they have as many streams as there may be, or open them again and again.
   */
  async #begin(owner: Owner, raw: Socket): Promise<Session> {
    const session = this.#kind.open(owner, this.#reserve(this.#kind.idOf(owner)));
    raw.once("close", () => session.close());
    try {
      if (this.#goodbye === null) await session.begin();
    } catch (error) {
      session.close();
      throw error;
    }
    if (raw.destroyed) session.close();
    return session;
  }

  /** Takes one of the places an owner has, and one of the process's; the answer gives them back. */
  #reserve(ownerId: string): () => void {
    const count = this.#streamsOf.get(ownerId) ?? 0;
    const leavePlace =
      count < this.#kind.maxPerOwner && this.#allowances.takeOpening(ownerId) ? this.#parts.places.take() : null;
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

  /** Waits for the first frame, which is to be `{type: "auth", accessToken}`, but not for ever. */
  #awaitSignIn(socket: ClientSocket): void {
    // Whoever opens connections and says nothing loses them, rather than keep the others out.
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
    // From here on it is the service that takes its time.
    socket.onSignOfLife = onHeard;
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
      await this.#kind.checkPlace?.(owner, request);
      const session = await this.#begin(owner, request.raw.socket);
      if (!socket.isOpen) return null;
      socket.send(JSON.stringify({ type: "ready" }));
      return this.#follow(socket, { session, accessToken });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === "QUOTA_EXCEEDED") socket.close(STREAM_CLOSES.TOO_MANY_STREAMS);
      else socket.close(STREAM_CLOSES.NOT_ALLOWED_HERE);
      return null;
    }
  }

  #follow(socket: ClientSocket, { session, accessToken }: SignedIn<Session>): Stream<Session> {
    const stream = { socket, session, accessToken };
    socket.allowance.belongTo(this.#allowances.of(session.ownerId));
    this.#heartbeat.add(stream);
    socket.onClose(() => this.#heartbeat.remove(stream));
    session.attach(socket);
    return stream;
  }
}
