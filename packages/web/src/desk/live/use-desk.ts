import type { DeskNote, Member } from "@portico/protocol/schemas";
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { ConversationLog, LogSnapshot } from "../../shared/talk/live/conversation-log.ts";
import type { Conversation } from "./conversation.ts";
import { Desk, type DeskSnapshot } from "./desk.ts";
import type { DeskEntry } from "./desk-entry.ts";
import type { Arrival } from "./desk-state.ts";
import type { NoteDraft } from "./note-drafts.ts";

const DeskContext = createContext<Desk | null>(null);

/** Gives the parts of the page their desk. */
export const DeskProvider = DeskContext.Provider;

/** Opens the agent's desk for as long as the component is there. */
export function useOpenDesk(me: Member, onArrival: (arrival: Arrival) => void): Desk {
  const [desk] = useState(() => new Desk(me, onArrival));
  useEffect(() => {
    desk.open();
    return () => desk.close();
  }, [desk]);
  return desk;
}

/** The desk that the component is a part of. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("not inside a desk");
  return desk;
}

/** What is on the desk, as it is now. */
export function useDeskNow(): DeskSnapshot {
  const desk = useDesk();
  return useSyncExternalStore(desk.subscribe, desk.snapshot);
}

/** A conversation as it is now; undefined where the page does not know it. */
export function useConversation(id: string | null): Conversation | undefined {
  const desk = useDesk();
  return useSyncExternalStore(desk.subscribe, () => (id === null ? undefined : desk.conversation(id)));
}

/** The agents' notes about a conversation's visitor, oldest first, as far as they have been read. */
export function useNotes({ visitor: { visitorId } }: Conversation): readonly DeskNote[] {
  const desk = useDesk();
  return useSyncExternalStore(desk.subscribe, () => desk.notes.of(visitorId));
}

/** The note about a conversation's visitor that is being written. */
export function useNoteDraft({ visitor: { visitorId } }: Conversation): NoteDraft {
  const { notes } = useDesk().drafts;
  return useSyncExternalStore(notes.subscribe, () => notes.of(visitorId));
}

/** Reads the notes about a conversation's visitor when it is opened, and when the stream begins anew. */
export function useReadNotes({ appId, visitor: { visitorId }, session: { sessionId } }: Conversation): void {
  const desk = useDesk();
  const { stream } = useDeskNow();
  const isLive = stream === "live";
  useEffect(() => {
    // One that could not be read is read when the stream begins anew.
    if (isLive) desk.notes.read(visitorId, { appId, sessionId: String(sessionId) }).catch(() => {});
  }, [desk, isLive, appId, visitorId, sessionId]);
}

/** A conversation's log, as it is now. */
export function useLog(log: ConversationLog<DeskEntry>): LogSnapshot<DeskEntry> {
  const desk = useDesk();
  return useSyncExternalStore(desk.subscribe, () => log.snapshot);
}
