import type { ConversationFeeds } from "../../domain/conversations/live/conversation-feeds.ts";
import type { Webhooks } from "../../domain/webhooks/webhooks.ts";
import type { Clock } from "../../platform/clock/clock.ts";
import type { LargeAnswers } from "../../platform/http/large-answers.ts";
import type { Storage } from "../../platform/storage/storage.ts";

/**
 * What a handler needs whose route names no parts.
 *
 * Routes declare their functions as properties, not as methods: only then does the compiler refuse a route whose parts an
 * API lacks, since it compares the parameters of methods either way.
 */
export interface RouteParts {
  storage: Storage;
  clock: Clock;
}

/** To read a large answer while it is written. */
export interface SlicedParts extends RouteParts {
  largeAnswers: LargeAnswers;
}

/** To change what members' streams show. */
export interface LiveParts extends RouteParts {
  live: ConversationFeeds;
}

/** To see to the delivery of events. */
export interface EventParts extends RouteParts {
  webhooks: Webhooks;
}
