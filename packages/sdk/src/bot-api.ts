import { randomUUID } from "node:crypto";
import { checkedValue } from "@portico/protocol/client";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { LIMITS } from "@portico/protocol/limits";
import type {
  AppInfo,
  Installation,
  InstallationPage,
  InstallationsQuery,
  SentMessage,
  UploadedFile,
} from "./answers.ts";
import type { Caller } from "./caller.ts";
import type { InstallationsPageRequest, ReplyRequest, SendMessageRequest, UpdateCardRequest } from "./messages.ts";
import type { OpenApi } from "./open-api.ts";
import { multipartBody } from "./upload/multipart.ts";
import { readSource, type UploadOptions, type UploadSource } from "./upload/read-source.ts";

/**
 * The bot capability (V2). Every method throws {@link ApiRefusedError} when the service refuses the call, and
 * {@link TransportError} when no valid answer arrives.
 */
export class BotApi {
  readonly #caller: Caller;
  readonly #api: OpenApi;

  /** @internal */
  constructor(caller: Caller, api: OpenApi) {
    this.#caller = caller;
    this.#api = api;
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
    return await this.#api.sendMessage({ body: sayingOf(request) });
  }

  /**
   * Replies to a message that was delivered to the bot. `receiveIdType` and `receiveId` must name that message's
   * conversation. Needs the scope `bot.message.reply`.
   *
   * Retries are safe, as in {@link sendMessage}; both methods share one set of `clientMessageId`s.
   */
  async reply({ messageId, ...request }: ReplyRequest): Promise<SentMessage> {
    return await this.#api.replyMessage({ params: paramsOf(messageId), body: sayingOf(request) });
  }

  /**
   * Replaces a card that the bot sent. Needs the scope `bot.message.send`.
   *
   * With a `version`, error `500000` usually means that the card has a newer version. The service does not distinguish
   * this from an internal error, so the error is thrown without a retry. Without a `version`, the last update wins, and
   * the call is retried like any other.
   *
   * @returns `msgSeq` is the position of this change in the conversation; `clientMessageId` is null.
   */
  async updateCard({ messageId, card, version }: UpdateCardRequest): Promise<SentMessage> {
    const params = paramsOf(messageId);
    return await this.#api.updateCard({ params, body: { card, version } }, { harmlessToRepeat: version === undefined });
  }

  /**
   * Recalls a card that the bot sent: members no longer see it. Needs the scope `bot.message.send`.
   *
   * @returns Whether this call recalled it; false when it was recalled before, possibly by an earlier try of this call.
   */
  async recallCard(messageId: number): Promise<boolean> {
    return await this.#api.recallCard({ params: paramsOf(messageId) });
  }

  /**
   * Uploads a file of up to 20 MiB. Within the next ten minutes it can be sent as an `image` or `file` message or shown
   * in a card. Needs the scope `bot.message.send`.
   *
   * The source is read once, into memory, before anything is sent; retries send the same bytes. The option
   * `uploadTimeoutMs` limits each try.
   *
   * @param source A path, bytes, a `Blob`, or a stream of bytes.
   * @returns The `fileKey` to send, the stored metadata, and `expiresAt` in epoch milliseconds.
   * @throws RangeError when the source is too large; a stream is then read no further.
   * @throws TypeError when the source does not yield bytes.
   * @throws any error of the source itself.
   *
   * @example
   * const { fileKey } = await client.bot.uploadFile("report.pdf");
   * await client.bot.sendMessage({ receiveIdType: "group_id", receiveId: "g_team", msgType: "file", content: { fileKey } });
   */
  async uploadFile(source: UploadSource, options?: UploadOptions): Promise<UploadedFile> {
    const form = multipartBody(await readSource(source, options));
    const endpoint = OPEN_ENDPOINTS.uploadFile;
    return checkedValue(endpoint, await this.#caller.upload(endpoint, form));
  }

  /**
   * All installations of the bot, in the order of their first installation; without `status`, ended ones are included.
   * When there are many, use {@link installations}, which holds one page at a time. Needs the scope
   * `bot.installation.read`.
   */
  async listInstallations(filter: InstallationsQuery = {}): Promise<Installation[]> {
    const { targetType, status } = filter;
    return (await this.#api.listInstallations({ query: { targetType, status } })).items;
  }

  /**
   * Iterates over the installations, reading a page at a time. Each one is yielded once, whatever is installed
   * meanwhile. When the loop ends early, no further page is read.
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
   * One page of the installations: at most `pageSize`, from 1 to 1,000. `nextCursor` is the `cursor` of the next page,
   * null on the last one; it is valid with the same filter only.
   */
  async listInstallationsPage(request: InstallationsPageRequest): Promise<InstallationPage> {
    const { targetType, status, pageSize, cursor } = request;
    const { items, nextCursor = null } = await this.#api.listInstallations({
      query: { targetType, status, pageSize, cursor },
    });
    return { items, nextCursor };
  }

  /** The calling app: its type, state, profile and granted scopes. Needs the scope `bot.installation.read`. */
  async listApps(): Promise<AppInfo[]> {
    return (await this.#api.listApps()).items;
  }
}

/** The body of a send or a reply. */
function sayingOf(request: SendMessageRequest) {
  const { receiveIdType, receiveId, msgType, content, clientMessageId = randomUUID() } = request;
  return { receiveIdType, receiveId, msgType, content, clientMessageId };
}

function paramsOf(messageId: number): { messageId: string } {
  if (!Number.isSafeInteger(messageId)) throw new TypeError("messageId must be a whole number");
  return { messageId: String(messageId) };
}
