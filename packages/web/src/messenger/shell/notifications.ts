import type { ClientMessage, Conversation } from "@portico/protocol/schemas";
import { wordsNow } from "../../shared/words/words.ts";
import { textOf } from "../log/message-content.ts";
import { MESSENGER } from "../words.ts";
import { goTo } from "./use-path.ts";

/** Whether the person lets the page notify them; "unknown" where the browser cannot. */
export function notificationState(): NotificationPermission | "unknown" {
  return "Notification" in globalThis ? Notification.permission : "unknown";
}

/** Asks the person, at their own wish. */
export function askToNotify(): void {
  void Notification.requestPermission();
}

/** Tells of a message that came while the person looks elsewhere. */
export function notify({ conversationId, name }: Conversation, message: ClientMessage): void {
  if (document.visibilityState === "visible" || notificationState() !== "granted") return;
  const body = `${message.sender.name}: ${textOf(message, wordsNow(MESSENGER))}`;
  // One for each conversation: a later one takes the place of the one before.
  try {
    const notification = new Notification(name, { body, tag: conversationId });
    notification.onclick = () => {
      window.focus();
      goTo(conversationId);
      notification.close();
    };
  } catch {
    // Some browsers have the permission and yet notify from service workers alone.
  }
}
