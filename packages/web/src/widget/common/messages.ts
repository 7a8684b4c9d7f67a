/** The languages of the widget. */
export type Locale = "en-US" | "zh-CN";

/** What the page around the widget chooses; what it leaves out, the application's settings or the visitor decide. */
export interface Look {
  locale?: Locale;
  theme?: "light" | "dark";
}

/** What the loader tells the frame, over the port that it hands over. */
export type ToFrame =
  /** `identity` counts how often the site has named its visitor; 0 for a visitor whom it does not name. */
  | { type: "options"; look: Look; identity: number }
  | { type: "visible"; visible: boolean }
  /** The visitorToken that was asked for; null when nobody is signed in to the site, undefined when that is not known now. */
  | { type: "token"; id: number; token: string | null | undefined }
  | { type: "sign-out" };

/** What the frame tells the loader. */
export type ToLoader =
  /** It listens. */
  | { type: "ready" }
  /** There is something to see in it, with a way out. */
  | { type: "drawn" }
  | { type: "close" }
  | { type: "unread"; count: number }
  /** There is a conversation to come back to, or there is none any more. */
  | { type: "conversation"; exists: boolean }
  /** Asks for a token of the visitor whom the site has named so. */
  | { type: "token"; id: number; identity: number }
  /** `isDone` is false when the service could not be told, and still knows the visitor. */
  | { type: "signed-out"; isDone: boolean };

/** The one message by which the loader hands the port over; every other message of a window is ignored. */
export const CONNECT = "portico:connect";
