import type { ClientMessage } from "@portico/protocol";
import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { memberOf, textOf } from "./json.ts";
import type { MemberLogin } from "./settings.ts";

/** A message, as `portico read` shows it. */
export interface HistoryMessage {
  senderName: string;
  msgType: string;
  recalled: boolean;
  /** The text of a text message. */
  text: string | undefined;
  /** The file name of an image or file message. */
  fileName: string | undefined;
  /** The title of a card, in its first language. */
  cardTitle: string | undefined;
}

/** Logs a member in and returns the access token. */
async function login({ baseUrl, ...body }: MemberLogin): Promise<string> {
  const { accessToken } = await memberClient(baseUrl).login({ body });
  return accessToken;
}

/** The API as a member uses it, signed in for one command. */
export async function memberApi(found: MemberLogin) {
  return memberClient(found.baseUrl, await login(found));
}

function memberClient(baseUrl: string, token?: string) {
  return createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl, token }));
}

/** What is shown of a message. The schema leaves the content open, because each type of message has another. */
export function historyMessage({ sender, msgType, recalled, content }: ClientMessage): HistoryMessage {
  return {
    senderName: sender.name,
    msgType,
    recalled,
    text: textOf(content, "text"),
    fileName: textOf(content, "fileName"),
    cardTitle: titleOf(memberOf(content, "card")),
  };
}

function titleOf(card: unknown): string | undefined {
  const title = memberOf(memberOf(card, "header"), "title");
  const [translation] = Object.values(memberOf(title, "i18n") ?? {});
  return textOf(title, "content") ?? (typeof translation === "string" ? translation : undefined);
}
