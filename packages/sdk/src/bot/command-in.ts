import type { WebhookEventByType } from "../webhook/events.ts";

type Mention = WebhookEventByType["im.message.receive_v1"]["message"]["mentions"][number];

/** Blanks within a line. */
const BLANK = "[ \\t\\u00a0\\u3000]";
const BLANKS_AT_END = new RegExp(`${BLANK}+$`, "u");
const BLANKS_AT_START = new RegExp(`^${BLANK}+`, "u");
/** Where a comma after a name belongs to the name: `@Lunch bot, what is there?` */
const AT_CALL = /(?:^|[\n,，:：、])$/u;
const AFTER_CALL = new RegExp(`^${BLANK}*[,，:：、]${BLANK}*`, "u");
const NEEDS_NO_BLANK = /^[\s,，.。!！?？;；:：、)）]/u;

/**
 * A text without the mentions of the bot, wherever they stand and however often. Where one stood, one blank is left
 * between words.
 *
 * @param mentions those of the message; a text that only looks like a mention is none.
 */
export function commandIn(text: string, mentions: readonly Mention[], appId: string): string {
  const own = mentions.filter(({ userId }) => userId === appId).flatMap(({ name }) => [name, appId]);
  const callings = new Set(own.filter((name) => name !== "").map(normal));
  if (callings.size === 0) return text.trim();
  // A member may be called as the bot and more: the longest name is the one that is meant.
  const names = [...own, ...mentions.map(({ name }) => name)].filter((name) => name !== "");
  const written = [...new Set(names)].sort((a, b) => b.length - a.length).map(patternOf);
  const mention = new RegExp(`(?<![A-Za-z0-9_])[@＠](${written.join("|")})`, "giu");
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: whole, 1: name = "", index } of text.matchAll(mention)) {
    if (!callings.has(normal(name))) continue;
    pieces.push(text.slice(from, index));
    from = index + whole.length;
  }
  return [...pieces, text.slice(from)].reduce(joined).trim();
}

function joined(before: string, after: string): string {
  const left = before.replace(BLANKS_AT_END, "");
  const right = (AT_CALL.test(left) ? after.replace(AFTER_CALL, "") : after).replace(BLANKS_AT_START, "");
  return right === "" || /(?:^|\n)$/.test(left) || NEEDS_NO_BLANK.test(right) ? left + right : `${left} ${right}`;
}

/** A name as it may be written: blanks of any kind and number, and no letter more behind it where that would go on. */
function patternOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/u)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return words.join(`${BLANK}+`) + (/[A-Za-z0-9_]$/.test(name) ? "(?![A-Za-z0-9_])" : "");
}

function normal(name: string): string {
  return name.trim().split(/\s+/u).join(" ").toLowerCase();
}
