/** Seconds after which a call that met an outage may well succeed: dead connections are replaced by then. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Something that the service stands on does not answer, or the service itself takes no work. The caller has done nothing
 * wrong and is told when to come again.
 */
export class Unavailable extends Error {
  override readonly name: string = "Unavailable";
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
}

/** So many causes of an error are looked at. */
const MAX_DEPTH = 5;

/** The outage behind `error`; undefined when there is none. */
export function outageBehind(error: unknown): Unavailable | undefined {
  let link = error;
  for (let depth = 0; depth < MAX_DEPTH && link instanceof Error; depth++) {
    if (link instanceof Unavailable) return link;
    link = link.cause;
  }
  return undefined;
}
