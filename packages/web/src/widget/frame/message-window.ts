import type { WidgetMessage } from "@portico/protocol/schemas";

/** The most messages that are held and drawn; the others are read again when somebody looks for them. */
export const MOST_HELD = 500;
/** What is let go of at once, so that the log does not change its beginning with each message. */
const LET_GO = 100;

/** A part of the conversation without gaps: its end, unless the visitor has gone far back. */
export interface MessageWindow {
  /** Oldest first. */
  messages: readonly WidgetMessage[];
  hasEarlier: boolean;
  hasLater: boolean;
  /** The last message that there is, whether or not it is held. */
  lastSeq: number;
}

export const NO_MESSAGES: MessageWindow = { messages: [], hasEarlier: false, hasLater: false, lastSeq: 0 };

/** The end of the conversation. */
export function newestOf(messages: readonly WidgetMessage[]): MessageWindow {
  return { messages, hasEarlier: hasBefore(messages), hasLater: false, lastSeq: messages.at(-1)?.seq ?? 0 };
}

/** The same window when the message is known already. */
export function withNext(window: MessageWindow, message: WidgetMessage): MessageWindow {
  if (message.seq <= window.lastSeq) return window;
  if (window.hasLater) return { ...window, lastSeq: message.seq };
  const all = [...window.messages, message];
  const messages = all.length > MOST_HELD ? all.slice(LET_GO) : all;
  return { messages, hasEarlier: hasBefore(messages), hasLater: false, lastSeq: message.seq };
}

/** @param earlier what was read before the first message. */
export function withEarlier(window: MessageWindow, earlier: readonly WidgetMessage[]): MessageWindow {
  const all = [...earlier, ...window.messages];
  const messages = all.slice(0, MOST_HELD);
  return { ...window, messages, hasEarlier: hasBefore(messages), hasLater: window.hasLater || all.length > MOST_HELD };
}

function hasBefore([first]: readonly WidgetMessage[]): boolean {
  return (first?.seq ?? 1) > 1;
}
