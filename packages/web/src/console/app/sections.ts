import type { AppType } from "@portico/protocol";
import type { KeysOf } from "../../shared/words/words.ts";
import type { APP } from "./words.ts";

/** A page of an application. */
export interface Section {
  /** Its address below the application's. */
  path: string;
  word: KeysOf<typeof APP>;
  /** The one type of application that it is for, if it is not for all. */
  onlyFor?: AppType;
}

/** The pages of an application, in the navigation's order. */
export const SECTIONS: readonly Section[] = [
  { path: "overview", word: "overview" },
  { path: "credentials", word: "credentials" },
  { path: "scopes", word: "scopes" },
  { path: "events", word: "events" },
  { path: "deliveries", word: "deliveries" },
  { path: "requests", word: "requests" },
  { path: "card-templates", word: "cardTemplates" },
  { path: "installations", word: "installations" },
  { path: "agents", word: "agents", onlyFor: "CUSTOMER_SERVICE" },
  { path: "visitors", word: "visitors", onlyFor: "CUSTOMER_SERVICE" },
  { path: "widget", word: "widget", onlyFor: "CUSTOMER_SERVICE" },
  { path: "service", word: "service", onlyFor: "CUSTOMER_SERVICE" },
  { path: "canned-replies", word: "cannedReplies", onlyFor: "CUSTOMER_SERVICE" },
  { path: "api-explorer", word: "apiExplorer" },
  { path: "statistics", word: "statistics" },
  { path: "audit-log", word: "auditLog" },
];
