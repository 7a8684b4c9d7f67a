import { linkifier } from "@portico/card/linkify";

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

/** The links of a text, in order. */
export function linksIn(text: string): Link[] {
  return (linkifier.match(text.slice(0, SEARCHED_LENGTH)) ?? []).flatMap(({ index, raw }) => {
    // Emphasis that Markdown would have taken away.
    const address = raw.replace(/(?<!\*)\*+$/, "");
    return URL.canParse(address) ? [{ at: index, text: address, href: new URL(address).href }] : [];
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
