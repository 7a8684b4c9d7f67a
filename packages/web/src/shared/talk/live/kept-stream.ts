import { LiveStream, type StreamKind, type StreamState } from "@portico/protocol/client";
import { memberSession } from "../../session/member.ts";

/** How long to wait before the login is asked for again, */
const REOPEN_MS = 5_000;
/** and before a service that has refused what this page sends is tried again. */
const REFUSED_MS = 30_000;

/** What is told of the stream. */
export interface StreamEvents<Frame> {
  onFrame(frame: Frame): void;
  onState(): void;
  /** Some conversations are the person's no more. */
  onUnreachable(): void;
}

/** A signed-in person's stream for as long as the page is open: one that has ended is opened again where it stopped. */
export class KeptStream<Frame extends { type: string }> {
  readonly #kind: StreamKind<Frame>;
  readonly #userId: string;
  readonly #events: StreamEvents<Frame>;
  #stream: LiveStream<Frame> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** @param places the last place that the page knows of each conversation. */
  constructor(
    kind: StreamKind<Frame>,
    { userId, places }: { userId: string; places: Iterable<readonly [string, number]> },
    events: StreamEvents<Frame>,
  ) {
    this.#kind = kind;
    this.#userId = userId;
    this.#events = events;
    this.#open(places);
  }

  /** The last place that it knows of each conversation. */
  get places(): Iterable<readonly [string, number]> {
    return this.#stream?.places ?? [];
  }

  get state(): StreamState {
    return this.#stream?.state ?? "connecting";
  }

  /** Requests the events of a conversation after a place. */
  follow(conversationId: string, seq: number): void {
    this.#stream?.follow(conversationId, seq);
  }

  /** Sends what is worth nothing later. @returns false where it is lost, as the stream is not live. */
  mention(frame: { type: string }): boolean {
    return this.#stream?.send(frame) ?? false;
  }

  /** The network has come back, or the page was asleep. */
  check(): void {
    this.#stream?.check();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stream?.close();
  }

  #open(places: Iterable<readonly [string, number]>): void {
    this.#stream = new LiveStream<Frame>({
      baseUrl: location.origin,
      kind: this.#kind,
      token: tokenNow,
      places,
      onFrame: (frame) => this.#events.onFrame(frame),
      onState: () => this.#events.onState(),
      onUnreachable: () => this.#events.onUnreachable(),
      onEnd: (end) => {
        if (end === "signed-out") void this.#reopen();
        else if (end === "misused") this.#reopenIn(REFUSED_MS);
      },
    });
  }

  /** The token may be good no more: goes on with a renewed one, as soon as there is one. */
  async #reopen(): Promise<void> {
    try {
      const login = await memberSession.renew();
      if (login?.user.userId === this.#userId && !this.#isClosed) this.#open(this.#stream?.places ?? []);
    } catch {
      // The service could not be asked; nobody may have signed out.
      this.#reopenIn(REOPEN_MS);
    }
  }

  #reopenIn(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#reopen(), delayMs);
  }
}

async function tokenNow(): Promise<string> {
  const token = memberSession.token() ?? (await memberSession.renew())?.accessToken;
  if (token === undefined) throw new Error("signed out");
  return token;
}
