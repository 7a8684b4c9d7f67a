import { AGENT_STREAM, type AgentFrame, type StreamState } from "@portico/protocol/client";
import type { DeskApp, Member } from "@portico/protocol/schemas";
import { batched } from "../../shared/talk/live/batched.ts";
import { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { Drafts } from "../../shared/talk/live/drafts.ts";
import { KeptStream } from "../../shared/talk/live/kept-stream.ts";
import { oneAtATime } from "../../shared/talk/live/one-at-a-time.ts";
import { OpenLogs } from "../../shared/talk/live/open-logs.ts";
import { ReadMarks } from "../../shared/talk/live/read-marks.ts";
import { type Conversation, conversationId, readConversationId } from "./conversation.ts";
import { deliver } from "./deliver.ts";
import { DeskActions } from "./desk-actions.ts";
import { deskApi } from "./desk-api.ts";
import { type DeskEntry, toEntry } from "./desk-entry.ts";
import { type Arrival, DeskState } from "./desk-state.ts";
import { logSource } from "./log-source.ts";
import type { Notice } from "./notices.ts";
import { readAll } from "./read-all.ts";
import { sendMark } from "./send-mark.ts";
import { Typing } from "./typing.ts";
import { VisitorNotes } from "./visitor-notes.ts";

/** What of the desk is to be drawn. */
export interface DeskSnapshot {
  /** Null until they have been read. */
  readonly apps: readonly DeskApp[] | null;
  readonly waiting: readonly Conversation[];
  readonly own: readonly Conversation[];
  readonly notices: readonly Notice[];
  /** The sessions whose visitors are typing. */
  readonly typing: ReadonlySet<number>;
  readonly error: unknown;
  readonly stream: StreamState;
}

/** What an agent has written for a visitor and not sent, and the note that is not saved. */
export interface DeskDraft {
  text: string;
  note: string;
  files: readonly File[];
}

type MessageFrame = Extract<AgentFrame, { type: "message.created" }>;

/** The page reads the lists of its own accord no more often. */
const REFRESH_EVERY_MS = 1_000;

/**
 * The conversations of an agent's applications as this page knows them: the lists are read whenever the stream has begun, and
 * kept up to date by it.
 */
export class Desk {
  readonly me: Member;
  readonly actions: DeskActions;
  readonly drafts = new Drafts<DeskDraft>(
    { text: "", note: "", files: [] },
    ({ text, note, files }) => text.trim() === "" && note.trim() === "" && files.length === 0,
  );
  readonly #listeners = new Set<() => void>();
  readonly #tell = batched(() => this.#draw());
  readonly #state: DeskState;
  readonly #logs = new OpenLogs<DeskEntry>((id) => this.#createLog(id));
  readonly #marks = new ReadMarks(sendMark);
  readonly #typing = new Typing(this.#tell);
  readonly notes = new VisitorNotes(this.#tell);
  /** Visitors of the agent's, whose messages the stream sends after a place that the page has. */
  readonly #followed = new Set<string>();
  /** What the stream has told since it was last drawn. */
  #frames: AgentFrame[] = [];
  #stream: KeptStream<AgentFrame> | null = null;
  #error: unknown = null;
  #isOpen = false;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #snapshot: DeskSnapshot;

  constructor(me: Member, onArrival: (arrival: Arrival) => void) {
    this.me = me;
    this.#state = new DeskState(me, onArrival);
    const onChange = () => {
      this.#tell();
      this.#refreshSoon();
    };
    this.actions = new DeskActions(this.#state, { onChange, onDrawn: this.#tell });
    this.#snapshot = this.#takeSnapshot();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): DeskSnapshot => this.#snapshot;

  /** A conversation that the page knows, also one that is in no list any more. */
  conversation(id: string): Conversation | undefined {
    return this.#state.book.get(id);
  }

  isOwn(conversation: Conversation): boolean {
    return this.#state.book.isOwn(conversation);
  }

  open(): void {
    this.#isOpen = true;
    addEventListener("online", this.#wake);
    addEventListener("pagehide", this.leave);
    document.addEventListener("visibilitychange", this.#look);
    const events = {
      onFrame: (frame: AgentFrame) => {
        this.#frames.push(frame);
        this.#tell();
      },
      onState: () => this.#streamChanged(),
      onUnreachable: () => this.#refreshSoon(),
    };
    this.#stream = new KeptStream(AGENT_STREAM, { userId: this.me.userId, places: [] }, events);
  }

  /** Ends all that is under way: it must not go on as another person. */
  close(): void {
    this.#isOpen = false;
    removeEventListener("online", this.#wake);
    removeEventListener("pagehide", this.leave);
    document.removeEventListener("visibilitychange", this.#look);
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = undefined;
    this.#stream?.close();
    this.#stream = null;
    this.#followed.clear();
    this.#marks.close();
    this.#typing.close();
    this.#logs.close();
    this.#frames = [];
  }

  /** Reads the lists anew. */
  readonly refresh = oneAtATime(async () => {
    this.#takeFrames();
    this.#state.book.beginReading();
    try {
      const all = await readAll();
      if (!this.#isOpen) return;
      // What the stream has told meanwhile is newer than what was read.
      this.#takeFrames();
      for (const { id } of this.#state.takeAll(all)) {
        // Who cannot be asked about it is told by the next reading.
        this.actions.read(id, true).catch(() => this.#refreshSoon());
      }
      this.#error = null;
    } catch (error) {
      this.#error = error;
    }
    this.#tell();
  });

  /** The log of a conversation, opened if it is not. */
  log(id: string): ConversationLog<DeskEntry> {
    return this.#logs.open(id);
  }

  /** Takes up what a visitor who waits has said since: nobody is told of that by the stream. */
  async peek(id: string): Promise<void> {
    const params = readConversationId(id);
    const log = this.#logs.get(id);
    const last = log?.snapshot.messages.at(-1);
    if (params === null || log === undefined || last === undefined || log.snapshot.hasLater) return;
    const { items } = await deskApi.listMessages({ params, query: { afterSeq: last.msgSeq } });
    if (items.length > 0) log.apply(items.map(toEntry));
  }

  /** The agent has seen everything in a conversation. */
  markRead(id: string): void {
    const known = this.#state.book.get(id);
    if (known === undefined || known.lastSeq <= known.unread.readSeq) return;
    this.#state.book.takeMark(id, known.lastSeq);
    this.#marks.mark(id, known.lastSeq);
    this.#tell();
  }

  /** The agent types. */
  typesIn({ session: { sessionId } }: Conversation): void {
    const frame = { type: "typing", sessionId };
    if (this.#typing.agentTypes(sessionId)) this.#stream?.mention(frame);
  }

  dismiss(notices: readonly Notice[]): void {
    this.#state.notices.remove(new Set(notices.map(({ key }) => key)));
    this.#tell();
  }

  /** Tells the service what it has not been told, before the page is left or the agent signs out. */
  readonly leave = (): void => this.#marks.flush();

  #createLog(id: string): ConversationLog<DeskEntry> {
    const params = readConversationId(id);
    if (params === null) throw new RangeError(`${id} names no conversation`);
    return new ConversationLog(logSource(params), deliver.bind(null, params), this.#tell);
  }

  #streamChanged(): void {
    const state = this.#stream?.state;
    if (state === "live") {
      // What happened to sessions while there was no stream is told by the lists alone.
      void this.refresh();
      this.#marks.flush();
      for (const log of this.#logs.all) void log.readAgain();
    } else if (state === "waiting" && this.#state.apps === null) {
      void this.refresh();
    }
    this.#tell();
  }

  #refreshSoon(): void {
    if (!this.#isOpen) return;
    this.#refreshTimer ??= setTimeout(() => {
      this.#refreshTimer = undefined;
      void this.refresh();
    }, REFRESH_EVERY_MS);
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
    this.#takeFrames();
    this.#follow();
    this.#snapshot = this.#takeSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #takeFrames(): void {
    const frames = this.#frames;
    this.#frames = [];
    const messages = frames.filter((frame) => frame.type === "message.created");
    const taken = new Set(messages.filter((frame) => this.#followed.has(frame.message.visitorId)));
    for (const frame of frames) {
      if (frame.type !== "message.created") this.#takeFrame(frame);
      else if (taken.has(frame) && this.#state.takeMessage(frame) === null) this.#refreshSoon();
    }
    this.#applyToLogs([...taken]);
    this.#state.tellMessages([...taken]);
  }

  #takeFrame(frame: Exclude<AgentFrame, { type: "message.created" }>): void {
    switch (frame.type) {
      case "session.changed":
        if (this.#state.takeSession(frame)) this.#refreshSoon();
        break;
      case "agent.changed":
        this.#state.takeAgent(frame.appId, frame.agent);
        break;
      case "note.created":
        this.notes.take(frame.note);
        break;
      case "typing":
        this.#typing.visitorTypes(frame.sessionId);
        break;
      case "read":
        this.#state.book.takeVisitorMark(frame.visitorId, frame.seq);
    }
  }

  /** A message belongs to the log of its session, and to that of the visitor's next one, which begins with all before it. */
  #applyToLogs(frames: readonly MessageFrame[]): void {
    const byId = new Map<string, DeskEntry[]>();
    for (const { appId, message } of frames) {
      const { sessionId, visitorId, senderType } = message;
      if (senderType === "VISITOR") this.#typing.visitorStopped(sessionId);
      const ids = new Set([conversationId(appId, sessionId), this.#state.book.ownOf(visitorId)?.id]);
      for (const id of ids) if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), toEntry(message)]);
    }
    for (const [id, entries] of byId) this.#logs.get(id)?.apply(entries);
  }

  /**
   * Has the stream send the messages of who has become the agent's visitor, after what the page has of them. Until then what
   * comes is left out: something before it may be missing, and all of it comes again.
   */
  #follow(): void {
    const own = new Map(this.#state.book.own.map((each) => [each.visitor.visitorId, each]));
    for (const visitorId of this.#followed) if (!own.has(visitorId)) this.#followed.delete(visitorId);
    for (const [visitorId, { id, lastSeq }] of own) {
      const log = this.#logs.get(id)?.snapshot;
      if (this.#followed.has(visitorId) || log?.reading === "first") continue;
      this.#followed.add(visitorId);
      this.#stream?.follow(visitorId, (log?.hasLater ? undefined : log?.messages.at(-1)?.msgSeq) ?? lastSeq);
    }
  }

  #takeSnapshot(): DeskSnapshot {
    const { apps, book, notices } = this.#state;
    return {
      apps,
      waiting: book.waiting,
      own: book.own,
      notices: notices.all,
      typing: this.#typing.sessions,
      error: this.#error,
      stream: this.#stream?.state ?? "connecting",
    };
  }
}
