import type { Clock } from "../../platform/clock/clock.ts";
import type { LargeAnswers } from "../../platform/http/large-answers.ts";
import type { Storage } from "../../platform/storage/storage.ts";

/** What every handler gets; a route that needs more names it. */
export interface RouteParts {
  storage: Storage;
  clock: Clock;
}

/** To read a large answer while it is written. */
export interface SlicedParts extends RouteParts {
  largeAnswers: LargeAnswers;
}
