/** Under which a browser keeps that the visitor has a conversation. What is in it, only the frame knows. */
const keyOf = (appId: string) => `portico-widget:${appId}`;

/** A page without storage asks when the visitor opens the widget. */
function attempt<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** Whether the visitor has a conversation, so that something may be unread. */
export function hasConversation(appId: string): boolean {
  return attempt((storage) => storage.getItem(keyOf(appId))) === "1";
}

export function noteConversation(appId: string): void {
  attempt((storage) => storage.setItem(keyOf(appId), "1"));
}

export function forgetConversation(appId: string): void {
  attempt((storage) => storage.removeItem(keyOf(appId)));
}
