import type { Socket } from "node:net";
import { ApiError, type Member } from "@portico/protocol";
import type { WebSocket } from "ws";
import type { Context } from "../../context.ts";
import { memberOfToken } from "../session.ts";
import { CLOSE, ClientSocket } from "./client-socket.ts";
import { Heartbeat, type Stream } from "./heartbeat.ts";
import { StreamSession } from "./session.ts";
import { readStreamFrame } from "./stream-frame.ts";

const SIGN_IN_WITHIN_MS = 10_000;
const MAX_UNSIGNED = 1_000;
/** In one process. */
const MAX_PER_MEMBER = 20;

/** What is known of a stream whose member signed in before it was open. */
export type SignedIn = Pick<Stream, "session" | "accessToken">;

/** The streams of this process. */
export class Connections {
  readonly #ctx: Context;
  readonly #heartbeat: Heartbeat;
  readonly #open = new Set<ClientSocket>();
  /** Those that have not signed in, the oldest first. */
  readonly #unsigned = new Set<ClientSocket>();
  /** How many streams each member has, those still being opened included. */
  readonly #streamsOf = new Map<string, number>();
  #closing = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#heartbeat = new Heartbeat(ctx);
    ctx.live.onSignOut = (userId) => this.#heartbeat.check(userId);
  }

  /** Ends all streams, and from here on each that is opened still. */
  close(): void {
    this.#closing = true;
    this.#heartbeat.stop();
    for (const socket of this.#open) goAway(socket);
  }

  /**
   * Begins to watch for a member. The session ends with the connection, which may be gone before it is a WebSocket.
   *
   * @throws ApiError 429001 when the member has as many streams as there may be.
   */
  async begin(member: Member, raw: Socket): Promise<StreamSession> {
    const session = new StreamSession(this.#ctx, member, this.#reserve(member.userId));
    raw.once("close", () => session.close());
    try {
      if (!this.#closing) await session.begin();
    } catch (error) {
      session.close();
      throw error;
    }
    if (raw.destroyed) session.close();
    return session;
  }

  /** @param signedIn null when the client is to sign in with its first frame. */
  open(webSocket: WebSocket, raw: Socket, signedIn: SignedIn | null): void {
    const socket = new ClientSocket(webSocket, raw);
    this.#open.add(socket);
    socket.onClose(() => this.#open.delete(socket));
    if (this.#closing) {
      goAway(socket);
      return;
    }
    let stream = signedIn === null ? null : this.#follow(socket, signedIn);
    if (stream === null) this.#awaitSignIn(socket);
    socket.read(async (text) => {
      try {
        if (stream === null) stream = await this.#signIn(socket, raw, text);
        else await resume(stream, text);
      } catch (error) {
        this.#ctx.log.warn({ err: error }, "a frame of a stream could not be handled");
        socket.close(CLOSE.internal, "try again");
      }
    });
  }

  /** Takes one of the places a member has; the answer gives it back. */
  #reserve(userId: string): () => void {
    const count = this.#streamsOf.get(userId) ?? 0;
    if (count >= MAX_PER_MEMBER) throw new ApiError("QUOTA_EXCEEDED", "同时打开的连接过多", { retryAfterSeconds: 1 });
    this.#streamsOf.set(userId, count + 1);
    return () => {
      const left = (this.#streamsOf.get(userId) ?? 0) - 1;
      if (left > 0) this.#streamsOf.set(userId, left);
      else this.#streamsOf.delete(userId);
    };
  }

  /** Waits for the first frame, which is to be `{type: "auth", accessToken}`, but not for ever. */
  #awaitSignIn(socket: ClientSocket): void {
    // Whoever opens connections and says nothing loses them, rather than keep the others out.
    const [oldest] = this.#unsigned;
    if (oldest !== undefined && this.#unsigned.size >= MAX_UNSIGNED) {
      this.#unsigned.delete(oldest);
      oldest.terminate();
    }
    this.#unsigned.add(socket);
    const timer = setTimeout(() => {
      if (this.#unsigned.delete(socket)) socket.close(CLOSE.signedOut, "not signed in");
    }, SIGN_IN_WITHIN_MS);
    socket.onClose(() => {
      clearTimeout(timer);
      this.#unsigned.delete(socket);
    });
  }

  async #signIn(socket: ClientSocket, raw: Socket, text: string): Promise<Stream | null> {
    const frame = readStreamFrame(text);
    const member = frame?.type === "auth" ? await memberOfToken(this.#ctx, frame.accessToken) : null;
    if (frame?.type !== "auth" || member === null) {
      socket.close(CLOSE.signedOut, "not signed in");
      return null;
    }
    try {
      const session = await this.begin(member, raw);
      this.#unsigned.delete(socket);
      if (!socket.isOpen) return null;
      socket.send(JSON.stringify({ type: "ready" }));
      return this.#follow(socket, { session, accessToken: frame.accessToken });
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === "QUOTA_EXCEEDED")) throw error;
      socket.close(CLOSE.tryAgain, "too many streams");
      return null;
    }
  }

  #follow(socket: ClientSocket, { session, accessToken }: SignedIn): Stream {
    const stream = { socket, session, accessToken };
    this.#heartbeat.add(stream);
    socket.onClose(() => this.#heartbeat.remove(stream));
    session.attach(socket);
    return stream;
  }
}

async function resume({ socket, session }: Stream, text: string): Promise<void> {
  const frame = readStreamFrame(text);
  if (frame?.type !== "resume") {
    socket.close(CLOSE.protocol, "not a frame of this protocol");
    return;
  }
  const foreign = await session.resume(frame.afterSeq);
  if (foreign.length === 0 || !(await socket.drained())) return;
  const { code, message } = new ApiError("FORBIDDEN", "会话不存在或无权访问");
  for (const conversationId of foreign) socket.send(JSON.stringify({ type: "error", conversationId, code, message }));
}

function goAway(socket: ClientSocket): void {
  socket.close(CLOSE.goingAway, "the service is stopping");
}
