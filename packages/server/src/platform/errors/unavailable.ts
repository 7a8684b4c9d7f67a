/** Seconds for `Retry-After` after an outage: dead connections are replaced by then. */
const RETRY_AFTER_SECONDS = 5;

/** A dependency does not answer, or the service does not accept work. Answered as an internal error with `Retry-After`. */
export class Unavailable extends Error {
  override readonly name: string = "Unavailable";
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
}

/** The most nested causes of an error that are examined. */
const MAX_DEPTH = 5;

/** The `Unavailable` among `error` and its causes; undefined when there is none. */
export function outageBehind(error: unknown): Unavailable | undefined {
  let link = error;
  for (let depth = 0; depth < MAX_DEPTH && link instanceof Error; depth++) {
    if (link instanceof Unavailable) return link;
    link = link.cause;
  }
  return undefined;
}
