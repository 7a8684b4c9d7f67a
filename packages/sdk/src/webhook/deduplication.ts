/** The default capacity of {@link memoryDeduplication}. */
const CAPACITY = 10_000;

/** The state of an event: not seen before, being handled by another process, or handled. */
export type EventClaim = "new" | "busy" | "done";

/**
 * Stores the ids of events, so that each one is handled once, however often it is delivered. Several processes need a
 * common store, in a database or in Redis:
 *
 * - `claim`: `SET evt:ID busy NX EX 60`. If it was set: "new"; otherwise the stored value, "busy" or "done". The expiry
 *   releases the events of a process that died; it must be longer than the handling takes.
 * - `finish`: `SET evt:ID done EX 604800`.
 * - `release`: `DEL evt:ID`.
 */
export interface EventDeduplication {
  /** Claims an event, in one atomic step. A "busy" event is refused for now, and the service delivers it again. */
  claim(eventId: string): EventClaim | Promise<EventClaim>;
  /** Records that an event has been handled. */
  finish(eventId: string): unknown;
  /** Releases an event whose handling failed, so that the next delivery is handled. */
  release(eventId: string): unknown;
}

/** Stores the latest `capacity` ids in memory: for a receiver with a single process. A restart forgets them. */
export function memoryDeduplication(capacity: number = CAPACITY): EventDeduplication {
  if (!Number.isSafeInteger(capacity) || capacity < 1)
    throw new RangeError("capacity must be a whole number from 1 on");
  const busy = new Set<string>();
  /** Least recently used first; a `Set` keeps the order of insertion. */
  const done = new Set<string>();
  const keep = (eventId: string) => {
    done.delete(eventId);
    done.add(eventId);
    const [oldest] = done;
    if (done.size > capacity && oldest !== undefined) done.delete(oldest);
  };
  return {
    claim(eventId) {
      if (busy.has(eventId)) return "busy";
      if (done.has(eventId)) {
        keep(eventId);
        return "done";
      }
      busy.add(eventId);
      return "new";
    },
    finish(eventId) {
      busy.delete(eventId);
      keep(eventId);
    },
    release(eventId) {
      busy.delete(eventId);
    },
  };
}
