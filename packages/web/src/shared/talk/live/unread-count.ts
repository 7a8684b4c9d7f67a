/** Counted up to here, as the service does. */
const MOST_COUNTED = 100;

/**
 * The messages of others after the place up to which a member has read: those that the service counted, and the places
 * of those that came later.
 */
export interface UnreadCount {
  readonly readSeq: number;
  /** The newest change when the service counted. */
  readonly countedSeq: number;
  readonly counted: number;
  /** After `countedSeq`, rising; the newest. */
  readonly arrived: readonly number[];
}

/** What the service says of a conversation. */
interface Told {
  lastSeq: number;
  readSeq: number;
  unreadCount: number;
}

/** As the service counted. */
export function unreadAsTold({ lastSeq, readSeq, unreadCount }: Told): UnreadCount {
  return { readSeq, countedSeq: lastSeq, counted: unreadCount, arrived: [] };
}

/** How many there are. */
export function unreadOf({ counted, arrived }: UnreadCount): number {
  return Math.min(counted + arrived.length, MOST_COUNTED);
}

/** With a message of another's. */
export function withArrival(unread: UnreadCount, seq: number): UnreadCount {
  return { ...unread, arrived: [...unread.arrived, seq].slice(-MOST_COUNTED) };
}

/**
 * Read up to a place. A mark does not move back.
 *
 * @returns the count, and whether the service has to be asked for it: which of those that it counted were read is not known.
 */
export function withMark(unread: UnreadCount, seq: number): { unread: UnreadCount; isExact: boolean } {
  if (seq <= unread.readSeq) return { unread, isExact: true };
  const { countedSeq, counted } = unread;
  const left = Math.min(counted, Math.max(0, countedSeq - seq));
  const arrived = unread.arrived.filter((each) => each > seq);
  return { unread: { readSeq: seq, countedSeq, counted: left, arrived }, isExact: left === 0 };
}

/**
 * As the service counted anew, with what came after that. An answer from before the last one, or before a mark of this
 * page has got there, says nothing.
 */
export function recounted(unread: UnreadCount, told: Told): UnreadCount {
  if (told.readSeq < unread.readSeq || told.lastSeq < unread.countedSeq) return unread;
  const arrived = unread.arrived.filter((each) => each > Math.max(told.lastSeq, told.readSeq));
  return { ...unreadAsTold(told), arrived };
}
