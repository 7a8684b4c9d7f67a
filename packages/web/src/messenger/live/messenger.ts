import { MEMBER_STREAM, type MemberFrame, type StreamState } from "@portico/protocol/client";
import type { ClientMessage, Conversation, Member } from "@portico/protocol/schemas";
import { batched } from "../../shared/talk/live/batched.ts";
import { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { Drafts } from "../../shared/talk/live/drafts.ts";
import { KeptStream } from "../../shared/talk/live/kept-stream.ts";
import { oneAtATime } from "../../shared/talk/live/one-at-a-time.ts";
import { OpenLogs } from "../../shared/talk/live/open-logs.ts";
import { ReadMarks } from "../../shared/talk/live/read-marks.ts";
import type { Mentionable } from "../composer/mention-query.ts";
import { CardMemories } from "./card-memories.ts";
import { ConversationBook } from "./conversation-book.ts";
import { deliver } from "./deliver.ts";
import { readList, takeAhead } from "./list-ahead.ts";
import { logSource } from "./log-source.ts";
import { sendMark } from "./send-mark.ts";
import { isBy } from "./sender.ts";

/** What of the list is to be drawn. */
export interface ListSnapshot {
  /** The one in which something happened last comes first; null until they have been read. */
  readonly conversations: readonly Conversation[] | null;
  readonly error: unknown;
  readonly stream: StreamState;
}

/** What a member has written and attached and not sent. */
interface MessengerDraft {
  text: string;
  /** Whom they chose to mention. */
  chosen: readonly Mentionable[];
  files: readonly File[];
}

/** Told of the newest message that others wrote in a conversation since the last drawing. */
export type OnArrival = (conversation: Conversation, message: ClientMessage) => void;

/** The page reads the list of its own accord no more often. */
const REFRESH_EVERY_MS = 1_000;
/** Frames of conversations that the page does not know yet are kept up to this many. */
const MOST_UNKNOWN = 100;

/**
 * The member's conversations as this page knows them: read once, then kept up to date by the stream, which goes on after
 * sleep or a lost network where it stopped.
 */
export class Messenger {
  readonly me: Member;
  readonly drafts = new Drafts<MessengerDraft>({ text: "", chosen: [], files: [] });
  readonly cardMemories = new CardMemories();
  readonly #listeners = new Set<() => void>();
  readonly #tell = batched(() => this.#draw());
  readonly #book: ConversationBook;
  readonly #logs = new OpenLogs<ClientMessage>(
    (id) => new ConversationLog(logSource(id), deliver.bind(null, id), this.#tell),
  );
  readonly #marks = new ReadMarks(sendMark);
  readonly #onArrival: OnArrival;
  /** What the stream has told since it was last drawn. */
  #frames: MemberFrame[] = [];
  /** What the stream has told of conversations that the page does not know yet. */
  #unknown: MemberFrame[] = [];
  #stream: KeptStream<MemberFrame> | null = null;
  /** How far the last stream came: another one, after a pause, goes on there. */
  #places: ReadonlyMap<string, number> = new Map();
  #error: unknown = null;
  #isOpen = false;
  #isRead = false;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #snapshot: ListSnapshot = { conversations: null, error: null, stream: "connecting" };

  constructor(me: Member, onArrival: OnArrival) {
    this.me = me;
    this.#onArrival = onArrival;
    this.#book = new ConversationBook(me.userId);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly list = (): ListSnapshot => this.#snapshot;

  /** Reads the list and opens the stream. */
  open(): void {
    this.#isOpen = true;
    addEventListener("online", this.#wake);
    addEventListener("pagehide", this.leave);
    document.addEventListener("visibilitychange", this.#look);
    void this.refresh();
  }

  /** Whether anything that the member has written or attached would be lost with the page. */
  readonly hasUnsent = (): boolean => this.#logs.hasUnsent || this.drafts.hasUnsent || this.cardMemories.hasUnreported;

  /** Ends all that is under way, which must not go on as another person. What was written is kept until it is opened again. */
  close(): void {
    this.#isOpen = false;
    removeEventListener("online", this.#wake);
    removeEventListener("pagehide", this.leave);
    document.removeEventListener("visibilitychange", this.#look);
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = undefined;
    this.#places = new Map(this.#stream?.places);
    this.#stream?.close();
    this.#stream = null;
    this.#marks.close();
    this.#logs.rest();
    this.#frames = [];
  }

  /** Reads the list anew: after a failure, and when conversations were added. */
  readonly refresh = oneAtATime(async () => {
    try {
      const items = await (takeAhead(this.me.userId) ?? readList());
      if (!this.#isOpen) return;
      this.#takeList(items);
      this.#error = null;
    } catch (error) {
      this.#error = error;
    }
    this.#tell();
  });

  /** The log of a conversation, opened if it is not. */
  log(conversationId: string): ConversationLog<ClientMessage> {
    return this.#logs.open(conversationId);
  }

  /** The member has seen everything in a conversation. */
  markRead(conversationId: string): void {
    const { lastSeq = 0, readSeq = 0 } = this.#book.get(conversationId) ?? {};
    if (lastSeq <= readSeq) return;
    this.#book.takeMark(conversationId, lastSeq);
    this.#marks.mark(conversationId, lastSeq);
    this.#tell();
  }

  /** Tells the service what it has not been told, before the page is left or the member signs out. */
  readonly leave = (): void => this.#marks.flush();

  #takeList(items: readonly Conversation[]): void {
    const { added, gone } = this.#book.takeList(items);
    this.#isRead = true;
    // One that comes back has a gap: what happened while it was not the member's.
    for (const id of gone) this.#logs.drop(id);
    if (this.#stream === null) this.#openStream(items);
    else for (const { conversationId, lastSeq } of added) this.#stream.follow(conversationId, lastSeq);
    // Those that are still unknown were taken from the member again.
    this.#arrive(this.#unknown);
    this.#unknown = [];
  }

  #openStream(items: readonly Conversation[]): void {
    const places = items.map(
      ({ conversationId, lastSeq }) => [conversationId, this.#places.get(conversationId) ?? lastSeq] as const,
    );
    this.#stream = new KeptStream(
      MEMBER_STREAM,
      { userId: this.me.userId, places },
      {
        onFrame: (frame) => {
          this.#frames.push(frame);
          this.#tell();
        },
        onState: () => {
          if (this.#stream?.state === "live") this.#goOn();
          this.#tell();
        },
        onUnreachable: () => this.#refreshSoon(),
      },
    );
  }

  #refreshSoon(): void {
    this.#refreshTimer ??= setTimeout(() => {
      this.#refreshTimer = undefined;
      void this.refresh();
    }, REFRESH_EVERY_MS);
  }

  /** What failed without the network is tried again with it. */
  #goOn(): void {
    this.#marks.flush();
    for (const log of this.#logs.all) void log.readAgain();
  }

  readonly #wake = (): void => {
    this.#stream?.check();
    this.#marks.flush();
    if (this.#error !== null) void this.refresh();
  };

  readonly #look = (): void => {
    // A page that was asleep has lost its connection without having been told.
    if (document.visibilityState === "visible") this.#stream?.check();
    else this.#marks.flush();
  };

  #draw(): void {
    if (!this.#isOpen) return;
    const frames = this.#frames;
    this.#frames = [];
    for (const frame of frames) this.#takeFrame(frame);
    this.#arrive(frames);
    for (const [id, messages] of messagesOf(frames)) this.#logs.get(id)?.apply(messages);
    this.#snapshot = {
      conversations: this.#isRead ? this.#book.listed : null,
      error: this.#error,
      stream: this.#stream?.state ?? "connecting",
    };
    for (const listener of this.#listeners) listener();
  }

  #takeFrame(frame: MemberFrame): void {
    if (frame.type === "conversation.read") {
      if (this.#book.takeMark(frame.conversationId, frame.seq)) this.#refreshSoon();
    } else if (this.#book.get(frame.conversationId) === undefined) {
      // A group or a bot that the member has been added to meanwhile.
      if (this.#unknown.length < MOST_UNKNOWN) this.#unknown.push(frame);
      this.#refreshSoon();
    } else {
      this.#book.takeFrame(frame);
    }
  }

  /** Tells of what others wrote: once for each conversation, as there may be thousands after a sleep. */
  #arrive(frames: readonly MemberFrame[]): void {
    const newest = new Map<string, ClientMessage>();
    for (const frame of frames) {
      if (frame.type !== "message.created" || isBy(frame.message, this.me.userId)) continue;
      newest.set(frame.conversationId, frame.message);
    }
    for (const [id, message] of newest) {
      const conversation = this.#book.get(id);
      if (conversation !== undefined) this.#onArrival(conversation, message);
    }
  }
}

/** The messages that frames tell of, by conversation, in their order. */
function messagesOf(frames: readonly MemberFrame[]): Map<string, ClientMessage[]> {
  const byId = new Map<string, ClientMessage[]>();
  for (const frame of frames) {
    if (frame.type === "conversation.read") continue;
    const messages = byId.get(frame.conversationId) ?? [];
    messages.push(frame.message);
    byId.set(frame.conversationId, messages);
  }
  return byId;
}
