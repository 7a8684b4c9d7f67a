import type { ClientMessage } from "@portico/protocol";
import { type ApiClient, type BearerCallOptions, bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { ApiRefusedError } from "@portico/sdk";
import { memberOf, textOf } from "./json.ts";
import type { SavedMember } from "./login-file.ts";
import { beginMemberSession } from "./member-session.ts";
import type { MemberLogin } from "./member-settings.ts";
import { renewSavedMember } from "./saved-login.ts";

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

/**
 * The API as a member uses it: signed in for one command, or with a saved login, which is refreshed.
 *
 * @throws FailureError when the saved login has ended; ApiRefusedError or TransportError.
 */
export async function memberApi(
  found: MemberLogin | SavedMember,
): Promise<ApiClient<typeof CLIENT_ENDPOINTS, BearerCallOptions>> {
  const { baseUrl } = found;
  const signIn = () => ("kind" in found ? renewSavedMember(found) : beginMemberSession(found));
  let { accessToken } = await signIn();
  const send = bearerExchange({ baseUrl, token: () => accessToken });
  return createApiClient(CLIENT_ENDPOINTS, async (call, options: BearerCallOptions | undefined) => {
    try {
      return await send(call, options);
    } catch (error) {
      const isRefused = error instanceof ApiRefusedError && error.httpStatus === 401;
      // When many commands share a login, newer tokens may have displaced this one.
      if (!isRefused || !("kind" in found)) throw error;
      ({ accessToken } = await signIn());
      return await send(call, options);
    }
  });
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
