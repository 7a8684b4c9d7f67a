/** A piece of a text: plain, or an address that can be opened. */
export interface LinkPart {
  /** Where it begins in the text. */
  at: number;
  text: string;
  href: string | null;
}

/** An address of the web in a text. */
export interface Link extends LinkPart {
  href: string;
}

/** So much of a text is searched for links; what follows is shown as it is. */
const SEARCHED_LENGTH = 20_000;
/** Addresses of the web; nothing else of a text becomes a link. */
const ADDRESS = /https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]+/gi;
/** What a sentence puts after an address. */
const TRAILING = new Set(".,;:!?)]}");

/** The links of a text, in order. */
export function linksIn(text: string): Link[] {
  return [...text.slice(0, SEARCHED_LENGTH).matchAll(ADDRESS)].flatMap((match) => {
    const address = withoutTrailing(match[0]);
    return URL.canParse(address) ? [{ at: match.index, text: address, href: new URL(address).href }] : [];
  });
}

/** Divides a text into its plain parts and its links. */
export function linkParts(text: string): LinkPart[] {
  const parts: LinkPart[] = [];
  let from = 0;
  for (const link of linksIn(text)) {
    if (link.at > from) parts.push({ at: from, text: text.slice(from, link.at), href: null });
    parts.push(link);
    from = link.at + link.text.length;
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from), href: null });
  return parts;
}

/** In one pass: a pattern would look at every run of marks again and again. */
function withoutTrailing(address: string): string {
  let end = address.length;
  while (TRAILING.has(address[end - 1] ?? "")) end--;
  return address.slice(0, end);
}
