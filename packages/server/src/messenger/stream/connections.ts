import { ApiError, type Member } from "@portico/protocol";
import type { WebSocket } from "ws";
import type { Context } from "../../context.ts";
import { memberOfToken } from "../session.ts";
import { CLOSE, StreamSession } from "./session.ts";
import { readStreamFrame, type StreamFrame } from "./stream-frame.ts";

const SIGN_IN_WITHIN_MS = 10_000;
const MAX_UNSIGNED = 1_000;
const MAX_PER_MEMBER = 20;
const HEARTBEAT_MS = 30_000;
/** How long clients may take to answer a close before their connections are cut. */
const CLOSE_WITHIN_MS = 1_000;

/** A stream whose member is known, with the token that told it. */
export interface SignedInStream {
  session: StreamSession;
  accessToken: string;
}

/** The streams of this process. */
export class Connections {
  readonly #ctx: Context;
  readonly #open = new Set<WebSocket>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #beat = new Map<WebSocket, () => void>();
  #unsigned = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#heartbeat = setInterval(() => {
      for (const beat of this.#beat.values()) beat();
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const socket of this.#open) socket.close(CLOSE.goingAway, "the service is stopping");
    setTimeout(() => {
      for (const socket of this.#open) socket.terminate();
    }, CLOSE_WITHIN_MS).unref();
  }

  /** @throws ApiError 429001 when the member has as many streams as there may be. */
  async begin(member: Member): Promise<StreamSession> {
    if (this.#ctx.live.count(member.userId) >= MAX_PER_MEMBER) {
      throw new ApiError("QUOTA_EXCEEDED", "同时打开的连接过多", { retryAfterSeconds: 1 });
    }
    const session = new StreamSession(this.#ctx, member);
    try {
      await session.begin();
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** @param stream null when the client is to sign in with its first frame. */
  open(socket: WebSocket, stream: SignedInStream | null): void {
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    if (stream !== null) this.#follow(socket, stream);
    else this.#awaitSignIn(socket);
  }

  /** The first frame is to be `{type: "auth", accessToken}`. */
  #awaitSignIn(socket: WebSocket): void {
    if (this.#unsigned >= MAX_UNSIGNED) {
      socket.close(CLOSE.tryAgain, "too many connections are signing in");
      return;
    }
    this.#unsigned++;
    const timer = setTimeout(() => socket.close(CLOSE.signedOut, "not signed in"), SIGN_IN_WITHIN_MS);
    const settled = () => {
      clearTimeout(timer);
      socket.off("close", settled);
      this.#unsigned--;
    };
    socket.once("close", settled);
    socket.once("message", (data) => {
      settled();
      this.#signIn(socket, String(data)).catch((error: unknown) => {
        this.#ctx.log.warn({ err: error }, "a stream could not be opened");
        socket.close(CLOSE.internal, "try again");
      });
    });
  }

  async #signIn(socket: WebSocket, text: string): Promise<void> {
    const frame = readStreamFrame(text);
    const member = frame?.type === "auth" ? await memberOfToken(this.#ctx, frame.accessToken) : null;
    if (frame?.type !== "auth" || member === null) {
      socket.close(CLOSE.signedOut, "not signed in");
      return;
    }
    const session = await this.begin(member);
    if (socket.readyState !== socket.OPEN) {
      session.close();
      return;
    }
    socket.send(JSON.stringify({ type: "ready" }));
    this.#follow(socket, { session, accessToken: frame.accessToken });
  }

  #follow(socket: WebSocket, { session, accessToken }: SignedInStream): void {
    let alive = true;
    socket.on("pong", () => {
      alive = true;
    });
    this.#beat.set(socket, () => {
      if (alive) {
        alive = false;
        socket.ping();
        this.#renew(socket, session, accessToken);
      } else {
        socket.terminate();
      }
    });
    socket.once("close", () => {
      this.#beat.delete(socket);
      session.close();
    });
    socket.on("message", (data) => this.#take(socket, session, readStreamFrame(String(data))));
    session.attach(socket);
  }

  /** Whether the member is still signed in, and which conversations are theirs, may have changed since. */
  #renew(socket: WebSocket, session: StreamSession, accessToken: string): void {
    memberOfToken(this.#ctx, accessToken).then(
      (member) => {
        if (member === null) socket.close(CLOSE.signedOut, "signed out");
        else session.conversationsChanged();
      },
      (error: unknown) => this.#ctx.log.warn({ err: error }, "a stream's sign-in could not be checked"),
    );
  }

  #take(socket: WebSocket, session: StreamSession, frame: StreamFrame | null): void {
    if (frame?.type !== "resume") {
      socket.close(CLOSE.protocol, "not a frame of this protocol");
      return;
    }
    session.resume(frame.afterSeq).then(
      (foreign) => {
        const { code, message } = new ApiError("FORBIDDEN", "会话不存在或无权访问");
        for (const conversationId of foreign)
          socket.send(JSON.stringify({ type: "error", conversationId, code, message }));
      },
      (error: unknown) => {
        this.#ctx.log.warn({ err: error }, "a stream could not be resumed");
        socket.close(CLOSE.internal, "try again");
      },
    );
  }
}
