import { membersOf } from "../../shared/text/file-content.ts";
import { linkParts } from "../../shared/text/links.ts";

/** A piece of a post's paragraph. */
export type PostSpan =
  | { kind: "text"; text: string }
  | { kind: "mention"; text: string }
  | { kind: "link"; text: string; href: string }
  | { kind: "picture"; src: string };

/** A post as it is shown. */
export interface Post {
  title: string;
  paragraphs: PostSpan[][];
}

/** A post that has more is cut there. */
const MAX_PARAGRAPHS = 200;
const MAX_SPANS = 200;

/**
 * Reads a post in one of the forms that are in use: `{text}` or `{markdown}`, or `{title, content}` with paragraphs of
 * tagged pieces (`text`, `a`, `at`, `img`), as such or by language (`zh_cn`, `en_us`).
 *
 * @returns null for any other form.
 */
export function readPost(content: Readonly<Record<string, unknown>>, locale: string): Post | null {
  const { title, text, markdown } = content;
  const heading = typeof title === "string" ? title : "";
  for (const whole of [text, markdown]) {
    if (typeof whole === "string") return { title: heading, paragraphs: [spansOfText(whole)] };
  }
  if (Array.isArray(content.content)) return { title: heading, paragraphs: paragraphsOf(content.content) };
  const translated = translationIn(content, locale);
  if (translated === null) return null;
  return {
    title: typeof translated.title === "string" ? translated.title : "",
    paragraphs: paragraphsOf(Array.isArray(translated.content) ? translated.content : []),
  };
}

/** The reader's language, or else the first that is there. */
function translationIn(
  content: Readonly<Record<string, unknown>>,
  locale: string,
): Readonly<Record<string, unknown>> | null {
  const wanted = locale.toLowerCase().replace("-", "_");
  const found = Object.entries(content).filter(([, value]) => Array.isArray(membersOf(value).content));
  const [, value] = found.find(([key]) => key.toLowerCase().replace("-", "_") === wanted) ?? found[0] ?? [];
  return value === undefined ? null : membersOf(value);
}

function paragraphsOf(content: readonly unknown[]): PostSpan[][] {
  return content.slice(0, MAX_PARAGRAPHS).map((paragraph) => {
    const pieces = Array.isArray(paragraph) ? paragraph : [paragraph];
    return pieces.slice(0, MAX_SPANS).flatMap((piece) => spanOf(membersOf(piece)));
  });
}

function spanOf({ tag, text, href, user_name, user_id, url, img_url }: Readonly<Record<string, unknown>>): PostSpan[] {
  const words = typeof text === "string" ? text : "";
  if (tag === "a" && isWebAddress(href)) return [{ kind: "link", text: words || href, href }];
  if (tag === "at") {
    const name = [user_name, text, user_id].find((each) => typeof each === "string" && each !== "");
    return typeof name === "string" ? [{ kind: "mention", text: name }] : [];
  }
  if (tag === "img") {
    const src = [img_url, url].find(isWebAddress);
    return src === undefined ? [] : [{ kind: "picture", src }];
  }
  return spansOfText(words);
}

function spansOfText(text: string): PostSpan[] {
  return linkParts(text).map((part) =>
    part.href === null ? { kind: "text", text: part.text } : { kind: "link", text: part.text, href: part.href },
  );
}

function isWebAddress(value: unknown): value is string {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
}
