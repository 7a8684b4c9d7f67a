import type { WebhookEvent, WebhookEventByType } from "../webhook/events.ts";
import type { Logger } from "./logger.ts";

/** Names come from the clients of members, which can make up any number of them. */
const MOST_TOLD = 100;

/** Warns of events to which there is no listener: once of each type, and of each control in a card. */
export class Unheard {
  readonly #logger: Logger;
  readonly #told = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  tell(event: WebhookEvent): void {
    const warning = event.eventType === "card.interaction" ? ofAction(event) : ofType(event);
    if (this.#told.has(warning) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(warning);
    this.#logger.warn(warning);
  }
}

function ofType({ eventType }: WebhookEvent): string {
  return `nobody listens to ${eventType}, so these events are lost: bot.on(${JSON.stringify(eventType)}, …) hears them`;
}

function ofAction({ action: { tag, name } }: WebhookEventByType["card.interaction"]): string {
  if (name === null || name === "") {
    return `nobody listens to a ${JSON.stringify(tag)} without a name in a card: give it a "name", and bot.onCardAction(name, …) hears it`;
  }
  return `nobody listens to the ${JSON.stringify(tag)} named ${JSON.stringify(name)} in a card: bot.onCardAction(${JSON.stringify(name)}, …) hears it`;
}
