import type { OutgoingMessage } from "../messages.ts";
import { Bot, type BotOptions } from "./bot.ts";
import type { ListenerName } from "./contexts.ts";
import { type MadeUpEvent, madeUpEvent } from "./made-up-event.ts";
import { type MadeUpAnswer, madeUpService, type SentCall } from "./made-up-service.ts";

export type { MadeUpEvent } from "./made-up-event.ts";
export type { MadeUpAnswer, SentCall } from "./made-up-service.ts";

/** Options of {@link createTestBot}. */
export interface TestBotOptions extends Pick<BotOptions, "logger" | "clock"> {
  /** The values of answers, or functions that make them of the call, by operation; the others are made up. */
  answers?: Readonly<Record<string, MadeUpAnswer>>;
}

/** What became of an event that a test has fed to a bot. */
export interface Arrival {
  /** Whether all listeners were done; otherwise the event would have come again. */
  handled: boolean;
  /** What a listener or a middleware has thrown. */
  error: unknown;
  /** The messages that the bot would have sent meanwhile, replies too. */
  said: OutgoingMessage[];
  /** All calls that the bot would have made meanwhile. */
  sent: SentCall[];
}

/**
 * A bot without network, for tests of its listeners.
 *
 * @example
 * const bot = createTestBot();
 * addListeners(bot);
 * const { said } = await bot.receive("message", { message: { content: { text: "ping" } } });
 * assert.deepEqual(said, [{ msgType: "text", content: { text: "pong" } }]);
 */
export function createTestBot(options: TestBotOptions = {}): TestBot {
  return new TestBot(options);
}

/** See {@link createTestBot}. */
export class TestBot extends Bot {
  /** All calls that the bot would have made, in their order. */
  readonly sent: SentCall[];
  #received = 0;

  constructor({ answers = {}, ...options }: TestBotOptions = {}) {
    const sent: SentCall[] = [];
    const identity = {
      baseUrl: "http://service.invalid",
      appId: "app_test",
      credentialId: "cred_test",
      appSecret: "test",
    };
    super({ ...identity, ...options, maxRetries: 0, fetch: madeUpService(sent, answers) });
    this.sent = sent;
  }

  /** Feeds an event to the bot, and resolves when its listeners are done. Members that are not given are made up. */
  async receive<Name extends ListenerName>(
    name: Name,
    given: MadeUpEvent<Name> = {} as MadeUpEvent<Name>,
  ): Promise<Arrival> {
    const from = this.sent.length;
    this.#received++;
    const event = madeUpEvent(name, given, `evt_test_${this.#received}`);
    const failure = await this.handle(event).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const sent = this.sent.slice(from);
    return { handled: failure === null, error: failure?.error, said: sent.flatMap(messageIn), sent };
  }

  /** @throws Error always: a test bot gets its events by {@link receive}. */
  override async start(): Promise<void> {
    throw new Error("a test bot does not connect: feed it events by receive()");
  }
}

/** The message of a send or a reply. */
function messageIn({ operation, body }: SentCall): OutgoingMessage[] {
  if (operation !== "sendMessage" && operation !== "replyMessage") return [];
  const { msgType, content } = body as OutgoingMessage;
  return [{ msgType, content } as OutgoingMessage];
}
