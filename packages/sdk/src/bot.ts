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
import { promisedValue } from "@portico/protocol/client";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { Caller } from "./caller.ts";
import type { InstallationsPageRequest, ReplyRequest, SendMessageRequest, UpdateCardRequest } from "./messages.ts";
import type { OpenApi } from "./open-api.ts";
import { multipartBody } from "./upload/multipart.ts";
import { readSource, type UploadOptions, type UploadSource } from "./upload/read-source.ts";

/**
 * The bot capability (V2). Every method throws {@link ApiRefusedError} when the service refuses and
 * {@link TransportError} when no verdict arrives.
 */
export class BotApi {
  readonly #caller: Caller;
  readonly #api: OpenApi;

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
   * Answers a message that was delivered to the bot, in the conversation that it is in: `receiveIdType` and `receiveId`
   * must name that one. Needs the scope `bot.message.reply`. Retries are safe as those of {@link sendMessage} are; the
   * two share their `clientMessageId`s.
   */
  async reply({ messageId, ...request }: ReplyRequest): Promise<SentMessage> {
    return await this.#api.replyMessage({ params: paramsOf(messageId), body: sayingOf(request) });
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
    const params = paramsOf(messageId);
    return await this.#api.updateCard({ params, body: { card, version } }, { harmlessToRepeat: version === undefined });
  }

  /**
   * Takes back a card that the bot sent: members no longer see it. Needs the scope `bot.message.send`.
   *
   * @returns Whether it was this call that did so; false when the card was recalled before, be it by an earlier try of
   *   this very call.
   */
  async recallCard(messageId: number): Promise<boolean> {
    return await this.#api.recallCard({ params: paramsOf(messageId) });
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
    const form = multipartBody(await readSource(source, options));
    const endpoint = OPEN_ENDPOINTS.uploadFile;
    return promisedValue(endpoint, await this.#caller.upload(endpoint, form));
  }

  /**
   * The conversations the bot is or was installed in, in the order of their first installation; without `status`, those it
   * was uninstalled from are among them. All at once: where there are many, {@link installations} holds a page at a time.
   * Needs the scope `bot.installation.read`.
   */
  async listInstallations(filter: InstallationsQuery = {}): Promise<Installation[]> {
    const { targetType, status } = filter;
    return (await this.#api.listInstallations({ query: { targetType, status } })).items;
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

/** The body of a send and of a reply. */
function sayingOf(request: SendMessageRequest) {
  const { receiveIdType, receiveId, msgType, content, clientMessageId = randomUUID() } = request;
  return { receiveIdType, receiveId, msgType, content, clientMessageId };
}

function paramsOf(messageId: number): { messageId: string } {
  if (!Number.isSafeInteger(messageId)) throw new TypeError("messageId must be a whole number");
  return { messageId: String(messageId) };
}
