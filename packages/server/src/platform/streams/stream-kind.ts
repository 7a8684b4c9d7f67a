import type { FastifyRequest } from "fastify";
import type { ClientSocket } from "./client-socket.ts";

/** What somebody who is signed in gets over one open stream. */
export interface StreamSession {
  /** Whose it is: streams are counted and looked after by owner. */
  readonly ownerId: string;
  /** Begins to watch. Once it resolves, nothing that happens later is missed. */
  begin(): Promise<void>;
  /** Begins to send, what has come since {@link begin} first. */
  attach(socket: ClientSocket): void;
  /** Takes a frame of the client's; false when it is none of this kind of stream. */
  take(text: string): Promise<boolean>;
  close(): void;
}

/** One kind of stream: where it is, whose, and what goes over it. */
export interface StreamKind<Owner, Session extends StreamSession> {
  path: string;
  /** How often clients are asked for a sign of life, and their tokens looked at again, in seconds. */
  lookEverySeconds: number;
  /** How many streams an owner has in one process. */
  maxPerOwner: number;
  /** Whose the access token is; null when it is nobody's or has expired. */
  ownerOf(accessToken: string): Promise<Owner | null>;
  idOf(owner: Owner): string;
  /** @throws ApiError 400008 when the owner may not open one from where the request comes. */
  checkPlace?(owner: Owner, request: FastifyRequest): Promise<void>;
  /** @param onClosed to be called once, when the session is over. */
  open(owner: Owner, onClosed: () => void): Session;
  /** Has what an owner's streams are about read again. */
  renew(ownerId: string, sessions: Session[]): Promise<void>;
  /** Has `listener`, which never fails, told of owners some of whose tokens have ended. */
  onSignOut(listener: (ownerId: string) => void): void;
  /** Lets go what all its streams share, once they are over. */
  close?(): void;
}
