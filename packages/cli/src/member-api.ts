import { SUCCESS_CODE } from "@portico/protocol";
import { ApiRefusedError, TransportError } from "@portico/sdk";
import { exchange, type HttpRequest, readEnvelope } from "@portico/sdk/exchange";
import { memberOf, textOf } from "./json.ts";
import type { MemberLogin } from "./settings.ts";

const TIMEOUT_MS = 10_000;

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
export async function login({ baseUrl, tenantId, username, password }: MemberLogin): Promise<string> {
  const url = new URL("/api/client/v1/auth/login", baseUrl);
  const body = new TextEncoder().encode(JSON.stringify({ tenantId, username, password }));
  const value = await call({ method: "POST", url, headers: { "Content-Type": "application/json" }, body });
  return textOf(value, "accessToken") ?? unpromised(url);
}

/** The latest messages of a conversation, newest last. */
export async function messagesOf(
  baseUrl: string,
  accessToken: string,
  conversationId: string,
): Promise<HistoryMessage[]> {
  const url = new URL(`/api/client/v1/conversations/${encodeURIComponent(conversationId)}/messages`, baseUrl);
  const value = await call({ method: "GET", url, headers: { Authorization: `Bearer ${accessToken}` } });
  const items = memberOf(value, "items");
  return Array.isArray(items) ? items.map(historyMessage) : unpromised(url);
}

async function call(request: HttpRequest): Promise<unknown> {
  const headers = { ...request.headers, Accept: "application/json" };
  const answer = await exchange({ ...request, headers }, { timeoutMs: TIMEOUT_MS, fetch }, readEnvelope);
  const { content, httpStatus, retryAfterSeconds } = answer;
  if (content.code === SUCCESS_CODE) return content.value;
  throw new ApiRefusedError({ ...content, httpStatus, retryAfterSeconds });
}

function historyMessage(item: unknown): HistoryMessage {
  const content = memberOf(item, "content");
  return {
    senderName: textOf(memberOf(item, "sender"), "name") ?? "?",
    msgType: textOf(item, "msgType") ?? "?",
    recalled: memberOf(item, "recalled") === true,
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

function unpromised(url: URL): never {
  const message = `${url.origin}${url.pathname}: a success whose value is not what the call promises`;
  throw new TransportError(message, { cause: undefined, httpStatus: 200 });
}
