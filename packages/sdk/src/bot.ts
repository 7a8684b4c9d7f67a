import { randomUUID } from "node:crypto";
import type { AppInfo, Installation, InstallationsQuery, SentMessage } from "@portico/protocol";
import type { Caller } from "./caller.ts";
import type { SendMessageRequest } from "./messages.ts";

/**
 * The bot capability (V2). Every method throws {@link ApiRefusedError} when the service refuses and
 * {@link TransportError} when no verdict arrives.
 */
export class BotApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Sends a message to a conversation in which the bot is installed. Needs the scope `bot.message.send`. Retries are
   * safe: all tries carry one `clientMessageId`, and the service sends once for it.
   *
   * @returns The message's ids; `duplicate` is true when this `clientMessageId` had been sent before.
   *
   * @example
   * await client.bot.sendMessage({
   *   receiveIdType: "group_id",
   *   receiveId: "g_team",
   *   msgType: "text",
   *   content: { text: "Build 128 is done", mentions: ["alice"] },
   * });
   */
  sendMessage(request: SendMessageRequest): Promise<SentMessage> {
    const { receiveIdType, receiveId, msgType, content, clientMessageId = randomUUID() } = request;
    return this.#caller.call({
      method: "POST",
      path: "/api/open/v2/bot/messages",
      body: { receiveIdType, receiveId, msgType, content, clientMessageId },
      harmlessToRepeat: true,
      isValue: isSentMessage,
    });
  }

  /**
   * The conversations the bot is or was installed in, in the order of installation; without `status`, those it was
   * uninstalled from are among them. Needs the scope `bot.installation.read`.
   */
  async listInstallations(filter: InstallationsQuery = {}): Promise<Installation[]> {
    const list = await this.#caller.call({
      method: "GET",
      path: "/api/open/v2/bot/installations",
      query: { targetType: filter.targetType, status: filter.status },
      harmlessToRepeat: true,
      isValue: isListOf<Installation>,
    });
    return list.items;
  }

  /** The calling app: its type, state, profile and granted scopes. Needs the scope `bot.installation.read`. */
  async listApps(): Promise<AppInfo[]> {
    const list = await this.#caller.call({
      method: "GET",
      path: "/api/open/v2/bot/apps",
      harmlessToRepeat: true,
      isValue: isListOf<AppInfo>,
    });
    return list.items;
  }
}

function isSentMessage(value: unknown): value is SentMessage {
  if (typeof value !== "object" || value === null) return false;
  if (!("messageId" in value && "msgSeq" in value)) return false;
  return Number.isSafeInteger(value.messageId) && Number.isSafeInteger(value.msgSeq);
}

/** Looks no deeper than the list, so that a field or a state that a later service adds does not break its callers. */
function isListOf<Item>(value: unknown): value is { items: Item[] } {
  return typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items);
}
