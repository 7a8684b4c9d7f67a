/** What a client may send over its stream (design, section 10). */
export type StreamFrame =
  | { type: "auth"; accessToken: string }
  /** The last `msgSeq` that the client has of each conversation, by conversationId. */
  | { type: "resume"; afterSeq: ReadonlyMap<string, number> };

/** More conversations than this are resumed in several frames. */
const MAX_RESUMED = 1_000;

/** Reads a frame; null when it is none. */
export function readStreamFrame(text: string): StreamFrame | null {
  const frame = parse(text);
  if (typeof frame !== "object" || frame === null || !("type" in frame)) return null;
  if (frame.type === "auth" && "accessToken" in frame && typeof frame.accessToken === "string") {
    return { type: "auth", accessToken: frame.accessToken };
  }
  if (frame.type !== "resume" || !("afterSeq" in frame)) return null;
  const { afterSeq } = frame;
  if (typeof afterSeq !== "object" || afterSeq === null || Array.isArray(afterSeq)) return null;
  const entries: [string, unknown][] = Object.entries(afterSeq);
  const isRead = (entry: [string, unknown]): entry is [string, number] =>
    Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0;
  return entries.length <= MAX_RESUMED && entries.every(isRead) ? { type: "resume", afterSeq: new Map(entries) } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
