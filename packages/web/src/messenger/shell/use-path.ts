import { useSyncExternalStore } from "react";

const BASE = "/messenger/";
const listeners = new Set<() => void>();
addEventListener("popstate", tell);

/** The conversation that the address names; null when it names none. */
export function useOpenConversation(): string | null {
  return useSyncExternalStore(subscribe, () => conversationIn(location.pathname));
}

/** The address of a conversation. */
export function pathOf(conversationId: string): string {
  return BASE + encodeURIComponent(conversationId);
}

/** Goes to a conversation, or with null back to the list. */
export function goTo(conversationId: string | null): void {
  const path = conversationId === null ? BASE : pathOf(conversationId);
  if (path !== location.pathname) history.pushState(null, "", path);
  tell();
}

function conversationIn(pathname: string): string | null {
  if (!pathname.startsWith(BASE)) return null;
  try {
    return decodeURIComponent(pathname.slice(BASE.length)) || null;
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
