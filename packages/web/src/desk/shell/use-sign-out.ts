import { useState } from "react";
import { memberSession } from "../../shared/session/member.ts";
import { useDesk, useDeskNow } from "../live/use-desk.ts";

/** Signing out waits no longer for the service to take the agent off. */
const MOST_WAITED_MS = 3_000;

/** What is left behind by who signs out now. */
export interface LeftBehind {
  conversations: number;
  hasUnsent: boolean;
}

/** Signs out: asks first where something is left behind, and takes the agent off, so that nobody is given to an empty chair. */
export function useSignOut() {
  const desk = useDesk();
  const { apps, own } = useDeskNow();
  const [asked, setAsked] = useState<LeftBehind | null>(null);

  async function signOut(): Promise<void> {
    const isOn = apps?.some(({ status }) => status !== "OFFLINE") ?? false;
    // The minute without heartbeats does it where this fails.
    if (isOn) await Promise.race([desk.actions.setOnline(false).catch(() => {}), passed(MOST_WAITED_MS)]);
    desk.leave();
    await memberSession.end();
  }

  return {
    asked,
    signOut,
    cancel: () => setAsked(null),
    /** Signs out, or asks. */
    async ask(): Promise<void> {
      const left = { conversations: own.length, hasUnsent: desk.hasUnsent() };
      if (left.conversations > 0 || left.hasUnsent) setAsked(left);
      else await signOut();
    },
  };
}

function passed(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
