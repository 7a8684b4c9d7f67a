import { call } from "./calls.ts";
import type { Credentials } from "./credentials.ts";
import { forgetOutboxes } from "./outbox.ts";
import { isForGood } from "./retry.ts";
import { forget, keep, kept, LASTS } from "./storage.ts";

/**
 * Where a draft is kept across pages: only that of a visitor without a name, who is always the same in this browser. Whom the
 * site names may be another person on the next page.
 */
export function draftKeyOf(appId: string): string {
  return `portico-draft:${appId}`;
}

/** Under which a sign-out is kept that the service has not been told of, for every page of the site. */
const leavingKeyOf = (appId: string) => `portico-leaving:${appId}`;
/** Changes with each sign-out, so that other tabs notice. */
const leftKeyOf = (appId: string) => `portico-left:${appId}`;

/** Whether somebody is still to be signed out at the service, before anything is read. */
export function isLeaving(appId: string): boolean {
  return kept(leavingKeyOf(appId)) !== null;
}

/** Calls `listener` when the visitor of the application signs out in another tab. */
export function onLeftElsewhere(appId: string, listener: () => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === leftKeyOf(appId) && newValue !== null) listener();
  });
}

/**
 * Signs the visitor out: what they wrote and who they were is forgotten at once, here and in other tabs, and the service is
 * told. Whoever was here without a name before the site named them goes with them.
 *
 * @returns false when the service still knows the visitor, and this browser can find them again.
 */
export async function leave(appId: string, credentials: Credentials): Promise<boolean> {
  keep(leavingKeyOf(appId), "1");
  forget(draftKeyOf(appId));
  await forgetOutboxes(appId);
  const all = credentials.areOfSite ? [credentials, credentials.withoutName()] : [credentials];
  const areGone = await Promise.all(all.map((each) => signOut(appId, each)));
  const isDone = areGone.every(Boolean);
  if (isDone) forget(leavingKeyOf(appId));
  return isDone;
}

async function signOut(appId: string, credentials: Credentials): Promise<boolean> {
  try {
    const token = credentials.isKnown ? await credentials.token() : null;
    forgetIn(appId, credentials);
    if (token !== null) await call("signOut", token);
    return true;
  } catch (error) {
    // Without storage a cookie keeps the visitor, which only the service can take away.
    return LASTS || isForGood(error);
  } finally {
    forgetIn(appId, credentials);
  }
}

function forgetIn(appId: string, credentials: Credentials): void {
  credentials.forget();
  keep(leftKeyOf(appId), String(Math.random()));
}
