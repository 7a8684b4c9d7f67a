/** Ids that {@link memoryDeduplication} keeps unless told otherwise. */
const CAPACITY = 10_000;

/** What is known of an event that has come: nothing yet, that it is being handled elsewhere, or that it has been. */
export type EventClaim = "new" | "busy" | "done";

/**
 * Where a receiver keeps the ids of events, so that each is handled once however often it is delivered. Several
 * processes need one in common, in a database or in Redis:
 *
 * - `claim`: `SET evt:ID busy NX EX 60`; if it was set "new", else by what is there "busy" or "done". The expiry hands
 *   over the events of a process that died; let it be longer than handling takes.
 * - `finish`: `SET evt:ID done EX 604800`.
 * - `release`: `DEL evt:ID`.
 */
export interface EventDeduplication {
  /** Takes up an event, in one atomic step. What is "busy" is refused for now, and the service delivers it again. */
  claim(eventId: string): EventClaim | Promise<EventClaim>;
  /** Notes that an event has been handled. */
  finish(eventId: string): unknown;
  /** Gives back an event whose handling failed, so that the next delivery is handled. */
  release(eventId: string): unknown;
}

/**
 * Keeps ids in the memory of this process, the latest `capacity` of them: for a receiver of one process, and forgotten
 * when it ends.
 */
export function memoryDeduplication(capacity: number = CAPACITY): EventDeduplication {
  if (!Number.isSafeInteger(capacity) || capacity < 1)
    throw new RangeError("capacity must be a whole number from 1 on");
  const busy = new Set<string>();
  /** In the order in which they were last asked for, for a `Set` keeps the order of insertion. */
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
