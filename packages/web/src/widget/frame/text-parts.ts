/** A piece of a text: plain, or an address that can be opened. */
export interface TextPart {
  /** Where it begins in the text. */
  at: number;
  text: string;
  href: string | null;
}

/** Addresses of the web, without the punctuation that ends a sentence. Nothing else of a text becomes a link. */
const ADDRESS = /https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]*[^\s<>"'`.,;:!?)\]}\u3000-\u303f\uff00-\uffef]/gi;

/** Divides a text into its plain parts and its links. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    if (match.index > from) parts.push({ at: from, text: text.slice(from, match.index), href: null });
    parts.push({ at: match.index, text: match[0], href: URL.canParse(match[0]) ? new URL(match[0]).href : null });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from), href: null });
  return parts;
}
