/** A frame that a client sent, as the object that it is; null when it is none or has no type. */
export function readFrame(text: string): (Readonly<Record<string, unknown>> & { readonly type: string }) | null {
  const frame = parse(text);
  if (typeof frame !== "object" || frame === null || !("type" in frame) || typeof frame.type !== "string") return null;
  return { ...frame, type: frame.type };
}

/** The access token of the frame `{type: "auth", accessToken}`; null when it is another. */
export function readAuthFrame(text: string): string | null {
  const frame = readFrame(text);
  return frame?.type === "auth" && typeof frame.accessToken === "string" ? frame.accessToken : null;
}

/** Whether it is a place in a sequence, or the one before its first. */
export function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** More places than this are given in several frames. */
const MAX_PLACES = 1_000;

/** The places in several sequences that a frame gives, by the sequences' ids; null when it gives none. */
export function readPlaces(places: unknown): ReadonlyMap<string, number> | null {
  if (typeof places !== "object" || places === null || Array.isArray(places)) return null;
  const entries: [string, unknown][] = Object.entries(places);
  const isPlace = (entry: [string, unknown]): entry is [string, number] => isSeq(entry[1]);
  return entries.length <= MAX_PLACES && entries.every(isPlace) ? new Map(entries) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
