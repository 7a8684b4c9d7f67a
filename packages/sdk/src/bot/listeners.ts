import type { PorticoClient } from "../client.ts";
import type { WebhookEvent } from "../webhook/events.ts";
import type { AnyContext, CardActionContext, ContextOf, ListenerName } from "./contexts.ts";
import { contextOf } from "./make-context.ts";

/** Handles an event. When it throws, the event is refused, and comes again. */
export type Listener<Context> = (ctx: Context) => unknown;

/** Runs before and after the listeners, and after the middlewares before it; without `next()` they do not run. */
export type Middleware = (ctx: AnyContext, next: () => Promise<void>) => unknown;

/** Gets each error of a listener or a middleware. The event is refused all the same. */
export type ErrorHandler = (error: unknown, ctx: AnyContext) => unknown;

interface Entry {
  hears(event: WebhookEvent): boolean;
  /** Gets the context of an event that it hears, which the compiler cannot know. */
  listener: Listener<never>;
}

/** Gets each event that came to the listeners and has none. */
export type UnheardHandler = (event: WebhookEvent) => void;

/** The listeners and middlewares of a bot. */
export class Listeners {
  readonly #client: PorticoClient;
  readonly #entries: Entry[] = [];
  readonly #middlewares: Middleware[] = [];
  readonly #onUnheard: UnheardHandler;
  #onError: ErrorHandler;

  constructor(client: PorticoClient, onError: ErrorHandler, onUnheard: UnheardHandler) {
    this.#client = client;
    this.#onError = onError;
    this.#onUnheard = onUnheard;
  }

  /** The event types to which there are listeners. */
  get eventTypes(): ReadonlySet<string> {
    return this.#eventTypes;
  }
  readonly #eventTypes = new Set<string>();

  on<Name extends ListenerName>(name: Name, listener: Listener<ContextOf<Name>>): void {
    const eventType = name === "message" ? "im.message.receive_v1" : name;
    this.#eventTypes.add(eventType);
    this.#entries.push({ hears: (event) => event.eventType === eventType, listener });
  }

  onCardAction(name: string, listener: Listener<CardActionContext>): void {
    this.#eventTypes.add("card.interaction");
    const hears = (event: WebhookEvent) => event.eventType === "card.interaction" && event.action.name === name;
    this.#entries.push({ hears, listener });
  }

  use(middleware: Middleware): void {
    this.#middlewares.push(middleware);
  }

  catch(handler: ErrorHandler): void {
    this.#onError = handler;
  }

  /**
   * Runs the middlewares, and within them the event's listeners, one after another in the order in which they were added.
   *
   * @throws the first error, after the handler of errors got it.
   */
  async run(event: WebhookEvent): Promise<void> {
    const ctx = contextOf(event, this.#client);
    const listeners = this.#entries.filter(({ hears }) => hears(event)).map(({ listener }) => listener);
    try {
      await runFrom(this.#middlewares, 0, ctx, async () => {
        if (listeners.length === 0) this.#onUnheard(event);
        for (const listener of listeners) await (listener as Listener<AnyContext>)(ctx);
      });
    } catch (error) {
      await this.#onError(error, ctx);
      throw error;
    }
  }
}

async function runFrom(
  middlewares: readonly Middleware[],
  index: number,
  ctx: AnyContext,
  last: () => Promise<void>,
): Promise<void> {
  const middleware = middlewares[index];
  if (middleware === undefined) return await last();
  let called = false;
  await middleware(ctx, async () => {
    if (called) throw new Error("a middleware called next() twice");
    called = true;
    await runFrom(middlewares, index + 1, ctx, last);
  });
}
