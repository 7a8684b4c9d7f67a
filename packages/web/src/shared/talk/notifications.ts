import type { MenuEntry } from "../ui/menu.tsx";
import { useWords } from "../words/words.ts";
import { TALK } from "./words.ts";

/** Whether the person lets the page notify them; "unknown" where the browser cannot. */
function notificationState(): NotificationPermission | "unknown" {
  return "Notification" in globalThis ? Notification.permission : "unknown";
}

/** For the account's menu: asks the person, at their own wish, or says what they have answered. */
export function useNotificationEntries(): MenuEntry[] {
  const say = useWords(TALK);
  const state = notificationState();
  if (state === "unknown") return [];
  if (state === "default") {
    const onChoose = () => void Notification.requestPermission();
    return [{ kind: "action", key: "notify", label: say("notifications"), onChoose }];
  }
  const content = say(state === "granted" ? "notificationsOn" : "notificationsBlocked");
  return [{ kind: "text", key: "notify", content }];
}

/**
 * Tells of something that happened while the person looks elsewhere.
 *
 * @param tag one for each conversation: a later notification takes the place of the one before.
 */
export function notify({
  title,
  body,
  tag,
  onOpen,
}: {
  title: string;
  body: string;
  tag: string;
  onOpen: () => void;
}): void {
  if (document.visibilityState === "visible" || notificationState() !== "granted") return;
  try {
    const notification = new Notification(title, { body, tag });
    notification.onclick = () => {
      window.focus();
      onOpen();
      notification.close();
    };
  } catch {
    // Some browsers have the permission and yet notify from service workers alone.
  }
}
