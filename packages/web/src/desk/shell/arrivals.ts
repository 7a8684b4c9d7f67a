import { notify } from "../../shared/talk/notifications.ts";
import { TALK } from "../../shared/talk/words.ts";
import { plainName } from "../../shared/text/plain-name.ts";
import { wordsNow } from "../../shared/words/words.ts";
import { nameOf } from "../live/conversation.ts";
import type { Arrival } from "../live/desk-state.ts";
import { lineOfEntry } from "../sessions/last-entry.tsx";
import { DESK } from "../words.ts";
import { goTo, openNow } from "./desk-path.ts";
import { Sound } from "./sound.ts";

/** The desk's sound, for as long as the page is open. */
export const sound = new Sound();
/** Many things that come at once make one sound. */
const QUIET_MS = 1_500;
let soundedAt = Number.NEGATIVE_INFINITY;

/** Tells of what has come: by a sound, and who looks elsewhere by a notification. */
export function tellOf(arrival: Arrival): void {
  if (arrival.kind === "message" && isLookedAt(arrival.conversation.id)) return;
  if (performance.now() - soundedAt > QUIET_MS) {
    soundedAt = performance.now();
    sound.play();
  }
  const { id, visitor } = arrival.conversation;
  const name = nameOf(visitor);
  const onOpen = () => goTo(id);
  if (arrival.kind === "message") {
    notify({ title: name, body: plainName(lineOfEntry(arrival.entry, wordsNow(TALK))), tag: id, onOpen });
  } else {
    const body = wordsNow(DESK)(arrival.kind === "waiting" ? "newWaiting" : "newAssigned", { name });
    notify({ title: wordsNow(DESK)("area"), body, tag: id, onOpen });
  }
}

function isLookedAt(id: string): boolean {
  return document.visibilityState === "visible" && document.hasFocus() && openNow() === id;
}
