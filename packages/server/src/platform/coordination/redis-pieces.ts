/** The most characters of messages in one piece. */
const MAX_PIECE = 64 * 1024;
/** Channels of pieces have this before their names. */
const PIECES = "pieces:";

/** A message to other processes. */
export interface Published {
  channel: string;
  message: string;
}

/** What Redis carries: one message, or a piece with several. */
export interface Carried {
  name: string;
  text: string;
}

/** The names under which the messages of a channel arrive. */
export function namesOf(channel: string): string[] {
  return [channel, PIECES + channel];
}

/**
 * Packs messages, equal ones of a channel once. Several messages of a channel go in one piece, because each costs the
 * same work here, in Redis and in every process.
 */
export function pack(messages: readonly Published[]): Carried[] {
  return [...Map.groupBy(messages, ({ channel }) => channel)].flatMap(([channel, some]) =>
    inPieces(new Set(some.map(({ message }) => message))).map((piece) => {
      const [only = ""] = piece;
      return piece.length === 1
        ? { name: channel, text: only }
        : { name: PIECES + channel, text: JSON.stringify(piece) };
    }),
  );
}

/**
 * The messages that were packed.
 *
 * @throws when a piece is no list in JSON.
 */
export function unpack({ name, text }: Carried): Published[] {
  if (!name.startsWith(PIECES)) return [{ channel: name, message: text }];
  const messages: unknown = JSON.parse(text);
  if (!Array.isArray(messages)) throw new TypeError("a piece is a list of messages");
  return messages.map((message) => ({ channel: name.slice(PIECES.length), message: String(message) }));
}

function inPieces(messages: Iterable<string>): string[][] {
  const pieces: string[][] = [];
  let room = 0;
  for (const message of messages) {
    if (pieces.length === 0 || message.length > room) {
      pieces.push([]);
      room = MAX_PIECE;
    }
    pieces.at(-1)?.push(message);
    room -= message.length;
  }
  return pieces;
}
