import { quietConsole } from "../bot/logger.ts";
import { checkedOptions, type PorticoClientOptions } from "../client-options.ts";
import { EventStream, type EventStreamOptions } from "./event-stream.ts";

/** Options of {@link createEventStream}: those of a client, and the following. */
export interface EventStreamSetup
  extends PorticoClientOptions,
    Pick<EventStreamOptions, "onEvent" | "take">,
    Partial<Pick<EventStreamOptions, "logger">> {}

/**
 * The events of an application over a connection that is kept up, as they come: for programs that pass them on. A bot is
 * made by `createBot`.
 *
 * @throws TypeError or RangeError naming the invalid option.
 */
export function createEventStream({ onEvent, take, logger = quietConsole, ...client }: EventStreamSetup): EventStream {
  const { origin, appId, credentialId, appSecret, timeoutMs, clock, random, sleep } = checkedOptions(client);
  const identity = { origin, appId, credentialId, appSecret };
  return new EventStream({ ...identity, timeoutMs, clock, random, sleep, take, onEvent, logger });
}
