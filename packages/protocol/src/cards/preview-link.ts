import { compactJson } from "./compact-json.ts";

/** The page of the docs that draws the card in its address. */
export const PREVIEW_PATH = "/docs/preview";

/** Limits of a link to the preview: more than a card may have, so that one that is too large can still be looked at. */
export const PREVIEW_LIMITS = {
  /** Of the fragment of the address. */
  fragmentCharacters: 512 * 1024,
  /** Of the card's JSON in UTF-8. */
  jsonBytes: 256 * 1024,
} as const;

export const PREVIEW_THEMES = ["light", "dark"] as const;

/** How a card is to be shown; where a link says nothing, the reader's own choice holds. */
export interface PreviewLook {
  /** Of the card's texts, such as `zh-CN`. */
  locale?: string | undefined;
  theme?: (typeof PREVIEW_THEMES)[number] | undefined;
}

/** Why a link shows no card. */
export type PreviewFault = "no-card" | "too-long" | "not-base64" | "damaged" | "too-large" | "not-text" | "not-json";

/** What a link to the preview shows, or why it shows nothing. */
export type Preview = (PreviewLook & { fault: null; card: unknown }) | { fault: PreviewFault };

/** The first byte of data in the format of RFC 1950. No JSON text begins with it. */
const ZLIB = 0x78;
/** Decompressed at once: little, because it can become a thousand times as much. */
const SLICE_BYTES = 1024;

/**
 * The fragment of a link to the preview, without the `#`: `card` is the base64url of the card's JSON, compressed (RFC
 * 1950) where that is shorter. Browsers send fragments to nobody.
 */
export async function previewFragment(card: unknown, { locale, theme }: PreviewLook = {}): Promise<string> {
  const json = new TextEncoder().encode(compactJson(card));
  const compressed = await collect(slicesOf(json).pipeThrough(new CompressionStream("deflate")), json.length);
  const shown = { card: base64Url(compressed ?? json), locale, theme };
  return Object.entries(shown)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");
}

/** Reads the fragment of a link to the preview, which may be anything. An unknown locale or theme counts as none. */
export async function readPreviewFragment(fragment: string): Promise<Preview> {
  if (fragment.length > PREVIEW_LIMITS.fragmentCharacters) return { fault: "too-long" };
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const encoded = given.get("card") ?? "";
  if (encoded === "") return { fault: "no-card" };
  const bytes = bytesIn(encoded);
  if (bytes === null) return { fault: "not-base64" };
  const text = await textIn(bytes);
  if (text.fault !== null) return text;
  const locale = given.get("locale") ?? "";
  const theme = PREVIEW_THEMES.find((each) => each === given.get("theme"));
  try {
    return { fault: null, card: JSON.parse(text.text), locale: isLocale(locale) ? locale : undefined, theme };
  } catch {
    return { fault: "not-json" };
  }
}

/** Whether a text looks like a language tag, such as `en`, `zh-CN` or `zh_cn`. */
export function isLocale(text: string): boolean {
  return /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,4}$/i.test(text);
}

async function textIn(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ fault: null; text: string } | { fault: PreviewFault }> {
  let json: Uint8Array | null = bytes;
  try {
    const isCompressed = bytes[0] === ZLIB;
    if (isCompressed) {
      const stream = slicesOf(bytes).pipeThrough(new DecompressionStream("deflate"));
      json = await collect(stream, PREVIEW_LIMITS.jsonBytes + 1);
    }
  } catch {
    return { fault: "damaged" };
  }
  if (json === null || json.length > PREVIEW_LIMITS.jsonBytes) return { fault: "too-large" };
  try {
    return { fault: null, text: new TextDecoder("utf-8", { fatal: true }).decode(json) };
  } catch {
    return { fault: "not-text" };
  }
}

/** All bytes of a stream; null when there are `limit` or more, of which the rest is not read. */
async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length < limit) continue;
    await reader.cancel();
    return null;
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Bytes as a stream that gives a slice each time it is asked. */
function slicesOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + SLICE_BYTES));
      at += SLICE_BYTES;
    },
  });
}

function base64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Null when the text is not base64url. */
function bytesIn(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+={0,2}$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
