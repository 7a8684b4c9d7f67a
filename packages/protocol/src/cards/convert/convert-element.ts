import {
  brokenLinksOf,
  CARD_CHILD_FIELDS,
  CARD_IMAGE_TAGS,
  CARD_LIMITS,
  CARD_TAGS,
  closestTag,
  isJsonObject,
  type JsonObject,
  member,
} from "../index.ts";
import type { ChangeLog } from "./changes.ts";
import { adapters } from "./known-tags.ts";
import { firstOf, textIn, without } from "./read.ts";
import { replacements } from "./unknown-tags.ts";

const TAGS: ReadonlySet<unknown> = new Set(CARD_TAGS);
const IMAGE_TAGS: ReadonlySet<unknown> = new Set(CARD_IMAGE_TAGS);
/** Deeper than what the service accepts, so that the rules can say that it is too deep. */
const MAX_LEVELS = CARD_LIMITS.levels + 3;
/** What is in a text may be filled in by other systems, as `${name}`. */
const VARIABLE = /\$\{[^{}]{1,80}\}/;
/** Feishu's own pictures, and what stands for one in its examples. */
const FOREIGN_PICTURE = /^(?:img_v\d|xxx$|\$\{)/;

/** Rewrites a list of components; what is no list counts as one of one. */
export function convertElements(elements: unknown, log: ChangeLog, level = 1): JsonObject[] {
  const list = Array.isArray(elements) ? elements : isJsonObject(elements) ? [elements] : [];
  return list.flatMap((element) => convertElement(element, log, level));
}

function convertElement(element: unknown, log: ChangeLog, level: number): JsonObject[] {
  if (Array.isArray(element)) {
    log.add("replaced", "[ ]", "…");
    return convertElements(level > MAX_LEVELS ? [] : element, log, level + 1);
  }
  if (!isJsonObject(element)) {
    const text = textIn(element);
    log.add(text === "" ? "dropped" : "replaced", JSON.stringify(element), text === "" ? "" : "markdown");
    return text === "" ? [] : [{ tag: "markdown", content: text }];
  }
  const tag = member(element, "tag");
  if (TAGS.has(tag)) return convertKnown(element, log, level);
  return convertUnknown(element, typeof tag === "string" ? tag : "", log, level);
}

function convertUnknown(element: JsonObject, tag: string, log: ChangeLog, level: number): JsonObject[] {
  const replace = Object.hasOwn(replacements, tag) ? replacements[tag] : undefined;
  const meant = tag === "" ? undefined : closestTag(tag);
  const found = replace?.(element) ?? (meant === undefined ? asContent(element) : [{ ...element, tag: meant }]);
  const [first] = found;
  if (first === undefined) log.add("dropped", tag || "{ }");
  else log.add("replaced", tag || "{ }", String(first.tag));
  return level > MAX_LEVELS ? [] : found.flatMap((each) => convertKnown(each, log, level));
}

/** What a component of an unknown kind holds: its children, else its text. */
function asContent(element: JsonObject): JsonObject[] {
  const children = firstOf(element, CARD_CHILD_FIELDS);
  if (Array.isArray(children)) return [{ tag: "interactive_container", elements: children }];
  const text = firstOf(element, ["text", "content", "title", "label", "value"]);
  const content = textIn(text);
  if (content === "") return [];
  const isPlain = isJsonObject(text) && member(text, "tag") === "plain_text";
  return [{ tag: isPlain ? "plain_text" : "markdown", content }];
}

function convertKnown(given: JsonObject, log: ChangeLog, level: number): JsonObject[] {
  const tag = String(given.tag);
  const adapt = Object.hasOwn(adapters, tag) ? adapters[tag] : undefined;
  const adapted = adapt === undefined ? given : adapt(given, log);
  const element = adapted === null ? null : dropLinks(adapted, log);
  if (element === null || lacksPicture(element)) {
    log.add("dropped", tag);
    return [];
  }
  note(element, log);
  const field = CARD_CHILD_FIELDS.find((key) => firstOf(element, [key]) !== undefined);
  if (field === undefined) return [element];
  const children = level > MAX_LEVELS ? [] : convertElements(element[field], log, level + 1);
  // What stands under `actions` is accepted, and never drawn.
  if (field !== "actions") return [{ ...element, [field]: children }];
  log.add("moved", "actions", "elements");
  return [{ ...without(element, ["actions"]), elements: children }];
}

function lacksPicture(element: JsonObject): boolean {
  if (!IMAGE_TAGS.has(element.tag) || firstOf(element, ["img_url", "url"]) !== undefined) return false;
  return typeof element.img_key !== "string" || element.img_key === "";
}

function dropLinks(element: JsonObject, log: ChangeLog): JsonObject {
  const broken = brokenLinksOf(element);
  if (broken.length === 0) return element;
  for (const pointer of broken) log.add("unlinked", pointer.slice(1).replace("/", "."));
  const fields = broken.filter((pointer) => pointer !== "/action/url").map((pointer) => pointer.slice(1));
  const rest = without(element, fields);
  const action = member(rest, "action");
  return isJsonObject(action) && broken.includes("/action/url") ? { ...rest, action: without(action, ["url"]) } : rest;
}

/** Says what the person has to do, as no conversion can. */
function note(element: JsonObject, log: ChangeLog): void {
  const key = member(element, "img_key");
  if (typeof key === "string" && FOREIGN_PICTURE.test(key)) log.add("pictures");
  const texts = [member(element, "content"), member(element, "text")].map(textIn);
  if (texts.some((text) => VARIABLE.test(text))) log.add("variables");
}
