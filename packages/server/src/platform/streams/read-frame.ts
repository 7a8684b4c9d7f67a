/** Parses a client's frame; null when it is not an object or has no type. */
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

/** Whether a value is a `seq`, or 0 for the place before the first. */
export function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The most places in a frame. */
const MAX_PLACES = 1_000;

/** The places in a frame, by feed id; null when there are none. */
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
