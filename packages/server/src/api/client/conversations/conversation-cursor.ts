import { ApiError } from "@portico/protocol";
import type { ConversationPlace } from "../../../domain/conversations/conversations-of.ts";

/** Encodes a place in a member's list of conversations as an opaque cursor. */
export function writeCursor({ chatType, name, id }: ConversationPlace): string {
  return Buffer.from(JSON.stringify([chatType, name, id])).toString("base64url");
}

/**
 * Parses the output of {@link writeCursor}.
 *
 * @throws ApiError 400006 when it is something else.
 */
export function parseCursor(cursor: string): ConversationPlace {
  const place = placeIn(cursor);
  // Each place has one spelling, so any other text is refused. No text of the database has a zero character.
  if (place === null || /\0/.test(place.name + place.id) || writeCursor(place) !== cursor) {
    throw new ApiError("CURSOR_INVALID");
  }
  return place;
}

function placeIn(cursor: string): ConversationPlace | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (!Array.isArray(parts)) return null;
    const [chatType, name, id] = parts as unknown[];
    const isPlace = (chatType === "group" || chatType === "user") && typeof name === "string" && typeof id === "string";
    return isPlace ? { chatType, name, id } : null;
  } catch {
    return null;
  }
}
