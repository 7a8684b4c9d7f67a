import { randomText } from "../../platform/crypto/random-text.ts";

/** Digits of a time in milliseconds, in base 36: enough until the year 5188. */
const TIME_DIGITS = 9;
const RANDOM_BYTES = 13;

/**
 * A new event's id. It begins with the event's time, so that the unique index of ids grows at one end: an id of nothing
 * but random text has a page of the index to itself, which is written for it, and again when the event is delivered.
 *
 * @param now in epoch milliseconds.
 */
export function newEventId(now: number): string {
  return `evt_${now.toString(36).padStart(TIME_DIGITS, "0")}${randomText(RANDOM_BYTES)}`;
}
