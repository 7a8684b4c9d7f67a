import type { ClientSocket } from "./client-socket.ts";

/** The content of one open stream, for a signed-in owner. */
export interface StreamSession {
  /** The owner; streams are counted and checked per owner. */
  readonly ownerId: string;
  /** Begins to receive events. Once it resolves, no later event is missed. */
  begin(): Promise<void>;
  /** Begins to send, starting with the events since {@link begin}. */
  attach(socket: ClientSocket): void;
  /** Handles a frame of the client; false when it is invalid for this kind of stream. */
  receive(text: string): Promise<boolean>;
  close(): void;
}

/** A kind of stream: its path, its owners and its content. */
export interface StreamKind<Owner, Session extends StreamSession> {
  path: string;
  /** The interval of heartbeats and token checks, in seconds. */
  lookEverySeconds: number;
  /** The most streams of an owner in one process. */
  maxPerOwner: number;
  /** The owner of the access token; null when it is invalid or has expired. */
  ownerOf(accessToken: string): Promise<Owner | null>;
  idOf(owner: Owner): string;
  /**
   * Checked when a stream begins, and again with its token.
   *
   * @param origin of the page that has opened the stream; undefined for another client.
   * @throws ApiError 400008 when the owner may not connect from there.
   */
  checkPlace?(owner: Owner, origin: string | undefined): Promise<void>;
  /** @param onClosed called once, when the session has ended. */
  open(owner: Owner, onClosed: () => void): Session;
  /** Makes an owner's sessions reload the data that they may see. */
  renew(ownerId: string, sessions: Session[]): Promise<void>;
  /** Registers a `listener` for owners some of whose tokens have ended. It must not throw. */
  onSignOut(listener: (ownerId: string) => void): void;
  /** Releases the resources shared by all streams, after they have ended. */
  close?(): void;
}
