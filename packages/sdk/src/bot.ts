import { randomUUID } from "node:crypto";
import {
  type AppInfo,
  type Installation,
  type InstallationPage,
  type InstallationsQuery,
  LIMITS,
  type SentMessage,
  type UploadedFile,
} from "@portico/protocol";
import type { Caller } from "./caller.ts";
import type { InstallationsPageRequest, ReplyRequest, SendMessageRequest, UpdateCardRequest } from "./messages.ts";
import { jsonBody } from "./request-body.ts";
import { multipartBody } from "./upload/multipart.ts";
import { readSource, type UploadOptions, type UploadSource } from "./upload/read-source.ts";

const MESSAGES = "/api/open/v2/bot/messages";

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
  async sendMessage(request: SendMessageRequest): Promise<SentMessage> {
    return await this.#say(MESSAGES, request);
  }

  /**
   * Answers a message that was delivered to the bot, in the conversation that it is in: `receiveIdType` and `receiveId`
   * must name that one. Needs the scope `bot.message.reply`. Retries are safe as those of {@link sendMessage} are; the
   * two share their `clientMessageId`s.
   */
  async reply({ messageId, ...request }: ReplyRequest): Promise<SentMessage> {
    return await this.#say(`${pathOf(messageId)}/reply`, request);
  }

  /**
   * Replaces a card that the bot sent. Needs the scope `bot.message.send`.
   *
   * With a `version`, a refusal with `500000` most likely says that the card has another version by now; the service
   * does not tell this from a failure of its own, so it is thrown at once. Without one, the last update wins, and it is
   * retried like any other call.
   *
   * @returns `msgSeq` is the place of this change in the conversation; `clientMessageId` is null.
   */
  async updateCard({ messageId, card, version }: UpdateCardRequest): Promise<SentMessage> {
    return await this.#caller.call({
      method: "PUT",
      path: `${pathOf(messageId)}/card`,
      body: jsonBody({ card, version }),
      harmlessToRepeat: version === undefined,
      isValue: isSentMessage,
    });
  }

  /**
   * Takes back a card that the bot sent: members no longer see it. Needs the scope `bot.message.send`.
   *
   * @returns Whether it was this call that did so; false when the card was recalled before, be it by an earlier try of
   *   this very call.
   */
  async recallCard(messageId: number): Promise<boolean> {
    return await this.#caller.call({
      method: "DELETE",
      path: `${pathOf(messageId)}/card`,
      harmlessToRepeat: true,
      isValue: (value) => typeof value === "boolean",
    });
  }

  /**
   * Uploads a file of up to 20 MiB, to be sent as an `image` or `file` message or shown in a card within the next ten
   * minutes. Needs the scope `bot.message.send`. A source is read once, into memory, before anything is sent; retries
   * send the same bytes again. Each try may take as long as the option `uploadTimeoutMs` says.
   *
   * @param source A path, bytes, a `Blob`, or a stream of bytes.
   * @returns The `fileKey` to send, what the service noted about the file, and `expiresAt`, in epoch milliseconds.
   * @throws RangeError when the source is larger; a stream is read no further then.
   * @throws TypeError when the source does not give bytes; and what the source itself fails with.
   *
   * @example
   * const { fileKey } = await client.bot.uploadFile("report.pdf");
   * await client.bot.sendMessage({ receiveIdType: "group_id", receiveId: "g_team", msgType: "file", content: { fileKey } });
   */
  async uploadFile(source: UploadSource, options?: UploadOptions): Promise<UploadedFile> {
    return await this.#caller.call({
      method: "POST",
      path: "/api/open/v2/bot/files",
      body: multipartBody(await readSource(source, options)),
      isUpload: true,
      // A file that is uploaded twice and sent once costs nothing: what nobody sends is removed.
      harmlessToRepeat: true,
      isValue: isUploadedFile,
    });
  }

  /**
   * The conversations the bot is or was installed in, in the order of their first installation; without `status`, those it
   * was uninstalled from are among them. All at once: where there are many, {@link installations} holds a page at a time.
   * Needs the scope `bot.installation.read`.
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

  /**
   * The same, one after another, read a page at a time: each comes once, whatever is installed meanwhile. Stopping early
   * reads no further.
   *
   * @example
   * for await (const { targetId } of client.bot.installations({ targetType: "GROUP", status: "ACTIVE" })) greet(targetId);
   */
  async *installations(filter: InstallationsQuery = {}): AsyncGenerator<Installation, void, undefined> {
    const request = { ...filter, pageSize: LIMITS.installationsPageSize };
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { items, nextCursor } = await this.listInstallationsPage({ ...request, cursor });
      yield* items;
      cursor = nextCursor;
    }
  }

  /**
   * One page of the same: at most `pageSize`, which is 1 to 1,000. `nextCursor` is the `cursor` of the page after it, and
   * null at the end; it is good with the same filter.
   */
  async listInstallationsPage(request: InstallationsPageRequest): Promise<InstallationPage> {
    const { targetType, status, pageSize, cursor } = request;
    return await this.#caller.call({
      method: "GET",
      path: "/api/open/v2/bot/installations",
      query: { targetType, status, pageSize: String(pageSize), cursor },
      harmlessToRepeat: true,
      isValue: isInstallationPage,
    });
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

  async #say(path: string, request: SendMessageRequest): Promise<SentMessage> {
    const { receiveIdType, receiveId, msgType, content, clientMessageId = randomUUID() } = request;
    return await this.#caller.call({
      method: "POST",
      path,
      body: jsonBody({ receiveIdType, receiveId, msgType, content, clientMessageId }),
      harmlessToRepeat: true,
      isValue: isSentMessage,
    });
  }
}

function pathOf(messageId: number): string {
  if (!Number.isSafeInteger(messageId)) throw new TypeError("messageId must be a whole number");
  return `${MESSAGES}/${messageId}`;
}

function isSentMessage(value: unknown): value is SentMessage {
  if (typeof value !== "object" || value === null) return false;
  if (!("messageId" in value && "msgSeq" in value)) return false;
  return Number.isSafeInteger(value.messageId) && Number.isSafeInteger(value.msgSeq);
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === "object" && value !== null && "fileKey" in value && typeof value.fileKey === "string";
}

function isInstallationPage(value: unknown): value is InstallationPage {
  if (!isListOf<Installation>(value) || !("nextCursor" in value)) return false;
  return value.nextCursor === null || typeof value.nextCursor === "string";
}

/** Looks no deeper than the list, so that a field or a state that a later service adds does not break its callers. */
function isListOf<Item>(value: unknown): value is { items: Item[] } {
  return typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items);
}
