import type { EventType } from "@portico/protocol/events";
import type { SocketEvent, SocketHello } from "@portico/protocol/socket";
import { PorticoClient } from "../client.ts";
import type { PorticoClientOptions } from "../client-options.ts";
import { createEventStream } from "../socket/create-event-stream.ts";
import type { EventAnswer, EventStream } from "../socket/event-stream.ts";
import type { StreamEnding } from "../socket/stream-ending.ts";
import { type EventDeduplication, memoryDeduplication } from "../webhook/deduplication.ts";
import type { WebhookEvent } from "../webhook/events.ts";
import { type NodeRequest, type NodeResponse, nodeHttpHandler } from "../webhook/node-http.ts";
import { Once } from "../webhook/once.ts";
import type { WebhookOptions } from "../webhook/options.ts";
import { parseEvent } from "../webhook/parse-event.ts";
import { WebhookVerificationError } from "../webhook/verification-error.ts";
import { settledWithin } from "../within.ts";
import type { CardActionContext, ContextOf, ListenerName } from "./contexts.ts";
import { type ErrorHandler, type Listener, Listeners, type Middleware } from "./listeners.ts";
import { type Logger, quietConsole } from "./logger.ts";
import { Turns } from "./turns.ts";
import { Unheard } from "./unheard.ts";

const STOP_TIMEOUT_MS = 30_000;

/** Options of a bot: those of its client, and the following. */
export interface BotOptions extends PorticoClientOptions {
  /** Where the bot writes what happens to it. Default: warnings and errors, on standard error. */
  logger?: Logger;
  /** Default: `memoryDeduplication()`, which is for a bot with a single process. */
  deduplication?: EventDeduplication;
  /** Event types that the bot's connection takes whatever is subscribed; only in a test environment. */
  take?: readonly EventType[];
}

/** Options of {@link Bot.webhook}. */
export type BotWebhookOptions = Pick<WebhookOptions, "secret" | "toleranceMs" | "maxBodyBytes">;

/**
 * A bot: listeners to the events of an application, which come by socket or by webhook.
 *
 * @example
 * const bot = createBot({ baseUrl, appId, credentialId, appSecret });
 * bot.on("message", async (ctx) => ctx.reply(`You said: ${ctx.command}`));
 * await bot.start();
 */
export function createBot(options: BotOptions): Bot {
  return new Bot(options);
}

/** A bot; see {@link createBot}. */
export class Bot {
  /** The open API, with the bot's credential. */
  readonly client: PorticoClient;
  readonly #options: BotOptions;
  readonly #logger: Logger;
  readonly #listeners: Listeners;
  readonly #deduplication: EventDeduplication;
  readonly #once: Once;
  readonly #turns = new Turns();
  readonly #underWay = new Set<Promise<unknown>>();
  /** Errors that the handler of errors has got. */
  readonly #told = new WeakSet<object>();
  #stream: EventStream | null = null;
  #ended: Promise<StreamEnding> = Promise.resolve("stopped");

  /** @throws TypeError or RangeError naming the invalid option. */
  constructor(options: BotOptions) {
    this.client = new PorticoClient(options);
    this.#options = options;
    this.#logger = options.logger ?? quietConsole;
    const unheard = new Unheard(this.#logger);
    this.#listeners = new Listeners(
      this.client,
      (error, { event }) => {
        this.#logger.error(`a listener to ${event.eventType} failed; event ${event.eventId} comes again`, error);
      },
      (event) => unheard.tell(event),
    );
    this.#deduplication = options.deduplication ?? memoryDeduplication();
    this.#once = new Once(this.#deduplication, (error) => this.#report(error));
  }

  /**
   * Adds a listener to the events of a type; "message" is short for `im.message.receive_v1`. An event counts as handled
   * when all its listeners are done; when one throws, the event is refused and comes again.
   */
  on<Name extends ListenerName>(name: Name, listener: Listener<ContextOf<Name>>): this {
    this.#listeners.on(name, listener);
    return this;
  }

  /** Adds a listener to the use of controls with this `name` in the bot's cards. */
  onCardAction(name: string, listener: Listener<CardActionContext>): this {
    this.#listeners.onCardAction(name, listener);
    return this;
  }

  /** Adds a middleware: it runs around the listeners of every event, in the order in which middlewares were added. */
  use(middleware: Middleware): this {
    this.#listeners.use(middleware);
    return this;
  }

  /** Sets what gets the errors of listeners and middlewares, in place of the log. The event comes again all the same. */
  catch(handler: ErrorHandler): this {
    this.#listeners.catch(handler);
    return this;
  }

  /**
   * Connects, and resolves once the service has said hello. The connection is kept up from then on: when it is lost, the
   * bot connects again, with longer and longer waits. As long as the service cannot be reached, it keeps trying.
   *
   * @throws ApiRefusedError when the service refuses the credential or the application.
   */
  async start(): Promise<void> {
    if (this.#stream !== null) throw new Error("the bot has been started");
    const onEvent = (event: SocketEvent, hello: SocketHello) => this.#answer(event, hello);
    const stream = createEventStream({ ...this.#options, logger: this.#logger, onEvent });
    this.#stream = stream;
    try {
      const { hello, ended } = await stream.start();
      this.#ended = ended;
      this.#warnOfMissing(hello);
    } catch (error) {
      this.#stream = null;
      throw error;
    }
  }

  /**
   * Resolves when the bot will get no more events by socket: it was stopped, or the service told it not to come back.
   * `if ((await bot.ended) !== "stopped") process.exit(1)` has a supervisor start it anew.
   */
  get ended(): Promise<StreamEnding> {
    return this.#ended;
  }

  /**
   * Takes no further events, lets listeners finish, and disconnects once the service has taken their acknowledgements. What
   * listeners have not finished after `timeoutMs` (default 30,000) comes again elsewhere.
   */
  async stop({ timeoutMs = STOP_TIMEOUT_MS }: { timeoutMs?: number } = {}): Promise<void> {
    const stream = this.#stream;
    this.#stream = null;
    // Those that came by webhook are waited for too.
    await Promise.all([stream?.stop(timeoutMs), settledWithin(timeoutMs, this.#underWay)]);
  }

  /**
   * The same listeners for events that come by webhook, as a handler for `node:http`, `node:https` and Express. See
   * `webhookHandler` for its answers.
   *
   * @example
   * createServer(bot.webhook({ secret })).listen(3000);
   */
  webhook(options: BotWebhookOptions): (request: NodeRequest, response: NodeResponse) => Promise<void> {
    const { clock } = this.#options;
    return nodeHttpHandler({
      ...options,
      ...(clock && { clock }),
      deduplication: this.#deduplication,
      onEvent: (event) => this.handle(event),
      onError: (error) => this.#report(error),
    });
  }

  /**
   * Runs the listeners of an event, for events that come another way:
   * `fetchHandler({ secret, onEvent: (event) => bot.handle(event) })`.
   *
   * @throws the error of a listener, after the handler of errors got it.
   */
  async handle(event: WebhookEvent): Promise<void> {
    const running = this.#turns.run(conversationOf(event), () => this.#run(event));
    this.#underWay.add(running);
    try {
      await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  async #run(event: WebhookEvent): Promise<void> {
    try {
      await this.#listeners.run(event);
    } catch (error) {
      if (typeof error === "object" && error !== null) this.#told.add(error);
      throw error;
    }
  }

  async #answer({ eventId, eventType, body }: SocketEvent, { appId }: SocketHello): Promise<EventAnswer> {
    try {
      const event = parseEvent(new TextEncoder().encode(body), { eventId, eventType, appId });
      const handling = await this.#once.run(eventId, () => this.handle(event));
      return handling === "busy" ? { ack: false, reason: "another process is handling the event" } : { ack: true };
    } catch (error) {
      this.#report(error);
      if (error instanceof WebhookVerificationError) return { ack: false, reason: error.message, retry: false };
      // The name alone: a message can hold what is not for the service's records.
      return { ack: false, reason: `a listener failed: ${error instanceof Error ? error.name : typeof error}` };
    }
  }

  #report(error: unknown): void {
    if (typeof error === "object" && error !== null && this.#told.has(error)) return;
    if (error instanceof WebhookVerificationError) this.#logger.warn(`a delivery was refused: ${error.message}`);
    else this.#logger.error("an event could not be handled", error);
  }

  /** Listeners that will hear nothing are most likely a subscription that was forgotten. */
  #warnOfMissing({ appId, eventTypes }: SocketHello): void {
    const subscribed: ReadonlySet<string> = new Set(eventTypes);
    for (const eventType of this.#listeners.eventTypes) {
      if (subscribed.has(eventType)) continue;
      this.#logger.warn(
        `${eventType} is not subscribed by socket, so its listeners hear nothing: portico subscribe ${appId} ${eventType} --socket`,
      );
    }
    if (this.#listeners.eventTypes.size === 0 && eventTypes.length === 0) {
      this.#logger.warn(`nothing is subscribed by socket: portico subscribe ${appId} im.message.receive_v1 --socket`);
    }
  }
}

/** Events of one conversation are handled one after another, so that its answers are in order. */
function conversationOf(event: WebhookEvent): string {
  switch (event.eventType) {
    case "im.message.receive_v1":
    case "card.interaction":
      return `chat ${event.message.chatId}`;
    case "customer.message.created_v1":
    case "customer.session.changed_v1":
      return `visitor ${event.session.visitorId}`;
    default:
      return `event ${event.eventId}`;
  }
}
