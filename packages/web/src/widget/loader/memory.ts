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
  if (hasConversation(appId)) return;
  attempt((storage) => storage.setItem(keyOf(appId), "1"));
}

/** Where it is kept that somebody has signed out and the service does not know it yet. */
const signOutKeyOf = (appId: string) => `portico-sign-out:${appId}`;

/** The same for this page, also where nothing can be kept. */
const leaving = new Set<string>();

/** Whether the frame has to sign the visitor out before anything else. */
export function wantsSignOut(appId: string): boolean {
  return leaving.has(appId) || attempt((storage) => storage.getItem(signOutKeyOf(appId))) === "1";
}

export function noteSignOut(appId: string): void {
  leaving.add(appId);
  attempt((storage) => storage.setItem(signOutKeyOf(appId), "1"));
}

export function forgetSignOut(appId: string): void {
  leaving.delete(appId);
  attempt((storage) => storage.removeItem(signOutKeyOf(appId)));
}

export function forgetConversation(appId: string): void {
  attempt((storage) => storage.removeItem(keyOf(appId)));
}
