import type { ClientMessage, Member } from "@portico/protocol/schemas";
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { ConversationLog, LogSnapshot } from "../../shared/talk/live/conversation-log.ts";
import { type ListSnapshot, Messenger, type OnArrival } from "./messenger.ts";

const MessengerContext = createContext<Messenger | null>(null);

/** Gives the parts of the page their messenger. */
export const MessengerProvider = MessengerContext.Provider;

/** Opens the member's messenger for as long as the component is there. */
export function useOpenMessenger(me: Member, onArrival: OnArrival): Messenger {
  const [messenger] = useState(() => new Messenger(me, onArrival));
  useEffect(() => {
    messenger.open();
    return () => messenger.close();
  }, [messenger]);
  return messenger;
}

/** The messenger that the component is a part of. */
export function useMessenger(): Messenger {
  const messenger = useContext(MessengerContext);
  if (messenger === null) throw new Error("not inside a messenger");
  return messenger;
}

/** The list of conversations, as it is now. */
export function useConversations(): ListSnapshot {
  const messenger = useMessenger();
  return useSyncExternalStore(messenger.subscribe, messenger.list);
}

/** A conversation's log, as it is now. */
export function useLog(log: ConversationLog<ClientMessage>): LogSnapshot<ClientMessage> {
  const messenger = useMessenger();
  return useSyncExternalStore(messenger.subscribe, () => log.snapshot);
}
