/** A file of a message, as far as it can be shown. */
export interface Attachment {
  url: string;
  name: string;
  size: number;
  width: number | null;
  height: number | null;
}

/** Reads what a message holds beside text; null when that is no file with an address of the web. */
export function attachmentOf(content: unknown): Attachment | null {
  if (typeof content !== "object" || content === null) return null;
  const { url, fileName, size, width, height } = content as Record<string, unknown>;
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null;
  return {
    url,
    name: plainName(typeof fileName === "string" ? fileName : ""),
    size: typeof size === "number" ? size : 0,
    width: typeof width === "number" && width > 0 ? width : null,
    height: typeof height === "number" && height > 0 ? height : null,
  };
}

/** The name without characters that would show it as another, such as those that change the direction of writing. */
export function plainName(name: string): string {
  return name.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, "") || "file";
}
