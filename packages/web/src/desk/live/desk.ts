import type { AgentState } from "@portico/protocol";
import { AGENT_STREAM, type AgentFrame, type StreamState } from "@portico/protocol/client";
import type { DeskApp, Member } from "@portico/protocol/schemas";
import { batched } from "../../shared/talk/live/batched.ts";
import { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { KeptStream } from "../../shared/talk/live/kept-stream.ts";
import { OpenLogs } from "../../shared/talk/live/open-logs.ts";
import { ReadMarks } from "../../shared/talk/live/read-marks.ts";
import { type Conversation, conversationId, readConversationId } from "./conversation.ts";
import { deliver } from "./deliver.ts";
import { DeskActions } from "./desk-actions.ts";
import { deskApi } from "./desk-api.ts";
import { DeskDrafts } from "./desk-drafts.ts";
import type { DeskEntry } from "./desk-entry.ts";
import { DeskReader } from "./desk-reader.ts";
import { deskSource } from "./desk-source.ts";
import { type Arrival, DeskState } from "./desk-state.ts";
import { logSource } from "./log-source.ts";
import type { Notice } from "./notices.ts";
import { onPageLife } from "./on-page-life.ts";
import { sendMark } from "./send-mark.ts";
import { Typing } from "./typing.ts";
import { VisitorMessages } from "./visitor-messages.ts";
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

type AgentListener = (appId: string, agent: AgentState) => void;
type MessageFrame = Extract<AgentFrame, { type: "message.created" }>;

/**
 * The conversations of an agent's applications as this page knows them: the lists are read whenever the stream has begun, and
 * kept up to date by it.
 */
export class Desk {
  readonly me: Member;
  readonly actions: DeskActions;
  readonly #listeners = new Set<() => void>();
  readonly #agentListeners = new Set<AgentListener>();
  readonly #tell = batched(() => this.#draw());
  readonly #state: DeskState;
  readonly #logs = new OpenLogs<DeskEntry>((id) => this.#createLog(id));
  readonly #marks = new ReadMarks(sendMark);
  readonly #typing = new Typing(this.#tell);
  readonly notes = new VisitorNotes(this.#tell);
  readonly drafts = new DeskDrafts(async (params, body) => this.notes.take(await deskApi.postNote({ params, body })));
  readonly #messages: VisitorMessages;
  readonly #reader: DeskReader;
  #endPageLife = () => {};
  /** What the stream has told since it was last drawn. */
  #frames: AgentFrame[] = [];
  #stream: KeptStream<AgentFrame> | null = null;
  #isOpen = false;
  #snapshot: DeskSnapshot;

  constructor(me: Member, onArrival: (arrival: Arrival) => void) {
    this.me = me;
    this.#state = new DeskState(me, onArrival);
    const events = { takeFrames: () => this.#takeFrames(), onChange: this.#tell };
    this.#reader = new DeskReader(this.#state, deskSource, events);
    this.#messages = new VisitorMessages(this.#state, this.#logs);
    this.actions = new DeskActions(this.#state, {
      ...events,
      onFailure: () => this.#reader.refreshSoon(),
      onDoubt: (id, isOwn) => this.#reader.readNews(id, isOwn),
    });
    this.#snapshot = this.#takeSnapshot();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): DeskSnapshot => this.#snapshot;

  /** Tells of how agents are, when that changes. @returns a function that ends this. */
  readonly onAgent = (listener: AgentListener): (() => void) => {
    this.#agentListeners.add(listener);
    return () => this.#agentListeners.delete(listener);
  };

  /** A conversation that the page knows, also one that is in no list any more. */
  conversation(id: string): Conversation | undefined {
    return this.#state.book.get(id);
  }

  isOwn(conversation: Conversation): boolean {
    return this.#state.book.isOwn(conversation);
  }

  open(): void {
    this.#isOpen = true;
    this.#reader.open();
    this.#endPageLife = onPageLife({ onWake: () => this.#wake(), onLeave: this.leave });
    const events = {
      onFrame: (frame: AgentFrame) => {
        this.#frames.push(frame);
        this.#tell();
      },
      onState: () => this.#streamChanged(),
      onUnreachable: () => this.#reader.refreshSoon(),
    };
    this.#stream = new KeptStream(AGENT_STREAM, { userId: this.me.userId, places: [] }, events);
  }

  /** Ends all that is under way, which must not go on as another person. What was written is kept until it is opened again. */
  close(): void {
    this.#isOpen = false;
    this.#endPageLife();
    this.#reader.close();
    this.#stream?.close();
    this.#stream = null;
    this.#messages.close();
    this.#marks.close();
    this.#typing.close();
    this.#logs.rest();
    this.#frames = [];
  }

  /** Reads the lists anew. */
  readonly refresh = (): Promise<void> => this.#reader.refresh();

  /** The log of a conversation, opened if it is not. */
  log(id: string): ConversationLog<DeskEntry> {
    return this.#logs.open(id);
  }

  /** The agent looks at a conversation: what is said in it is followed while it waits, too. */
  lookAt(id: string): void {
    this.#messages.lookAt(id);
    this.#tell();
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
    this.#typing.agentTypes(sessionId, () => this.#stream?.mention(frame) ?? false);
  }

  /** The agent has sent a message. */
  hasSent(): void {
    this.#typing.agentSent();
  }

  dismiss(notices: readonly Notice[]): void {
    this.#state.notices.remove(new Set(notices.map(({ key }) => key)));
    this.#tell();
  }

  /** Tells the service what it has not been told, before the page is left or the agent signs out. */
  readonly leave = (): void => this.#marks.flush();

  /** Whether anything that the agent has written or attached would be lost with the page. */
  readonly hasUnsent = (): boolean => this.#logs.hasUnsent || this.drafts.hasUnsent;

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

  #wake(): void {
    // A page that was asleep has lost its connection without having been told.
    this.#stream?.check();
    this.#marks.flush();
    if (this.#reader.error !== null) void this.refresh();
  }

  #draw(): void {
    if (!this.#isOpen) return;
    this.#takeFrames();
    this.#messages.follow((visitorId, seq) => this.#stream?.follow(visitorId, seq));
    this.#snapshot = this.#takeSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #takeFrames(): void {
    const frames = this.#frames;
    this.#frames = [];
    const messages: MessageFrame[] = [];
    for (const frame of frames) {
      if (frame.type !== "message.created") {
        this.#takeFrame(frame);
      } else if (this.#messages.isFollowed(frame)) {
        messages.push(frame);
        if (frame.message.senderType === "VISITOR") this.#typing.visitorStopped(frame.message.sessionId);
        if (this.#state.book.takeMessage(frame) === null) this.#reader.refreshSoon(frame.appId);
      }
    }
    this.#messages.applyToLogs(messages);
    this.#state.tellMessages(messages);
  }

  #takeFrame(frame: Exclude<AgentFrame, MessageFrame>): void {
    switch (frame.type) {
      case "session.changed": {
        const unknown = this.#state.takeSession(frame);
        if (unknown === "lists") this.#reader.refreshSoon(frame.appId);
        if (unknown === "session") this.#reader.readNews(conversationId(frame.appId, frame.session.sessionId), false);
        break;
      }
      case "agent.changed":
        this.#state.takeAgent(frame.appId, frame.agent);
        for (const listener of this.#agentListeners) listener(frame.appId, frame.agent);
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

  #takeSnapshot(): DeskSnapshot {
    const { apps, book, notices } = this.#state;
    return {
      apps,
      waiting: book.waiting,
      own: book.own,
      notices: notices.all,
      typing: this.#typing.sessions,
      error: this.#reader.error,
      stream: this.#stream?.state ?? "connecting",
    };
  }
}
