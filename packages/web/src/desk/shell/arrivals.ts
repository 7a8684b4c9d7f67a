import { plainName } from "../../shared/talk/log/plain-name.ts";
import { notify } from "../../shared/talk/notifications.ts";
import { TALK } from "../../shared/talk/words.ts";
import { wordsNow } from "../../shared/words/words.ts";
import { nameOf } from "../live/conversation.ts";
import type { Arrival } from "../live/desk-state.ts";
import { lineOfEntry } from "../sessions/last-entry.tsx";
import { DESK } from "../words.ts";
import { goTo } from "./desk-path.ts";

/** Tells of what has come while the agent looks elsewhere. */
export function tellOf(arrival: Arrival): void {
  const { id, visitor } = arrival.conversation;
  const name = plainName(nameOf(visitor));
  const onOpen = () => goTo(id);
  if (arrival.kind === "message") {
    notify({ title: name, body: plainName(lineOfEntry(arrival.entry, wordsNow(TALK))), tag: id, onOpen });
  } else {
    const body = wordsNow(DESK)(arrival.kind === "waiting" ? "newWaiting" : "newAssigned", { name });
    notify({ title: wordsNow(DESK)("area"), body, tag: id, onOpen });
  }
}
