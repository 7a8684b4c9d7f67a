import { brokenLinksOf, childFieldOf, imageKeyOf, isCardLink } from "./component.ts";
import { CARD_LIMITS, CARD_MESSAGES, CARD_SCHEMA, CARD_TAGS, type CardRule } from "./contract.ts";
import { isJsonObject, type JsonObject, member } from "./json-object.ts";

/** A rule that a card breaks, and where. */
export interface CardProblem {
  rule: CardRule;
  /** As the contract words it. */
  message: string;
  /** JSON pointer (RFC 6901) of what breaks the rule; of where it should be when it is missing. */
  pointer: string;
  /** What stands there. */
  value: unknown;
  /** The component in whose child field it stands; undefined directly in the body, and for what is no component. */
  container?: JsonObject;
}

/** An image whose `img_key` is a fileKey that only the service can resolve. */
export interface CardImage {
  /** JSON pointer (RFC 6901) of the component. */
  pointer: string;
  imgKey: string;
}

/** What there is to say about a card, its size aside. */
export interface CardReport {
  /** What breaks its structure, in the order in which the contract's answers are given (docs/contract/cards.md). */
  problems: CardProblem[];
  /** Images without a usable `img_key`, in document order. They count only in a card whose structure and size are sound. */
  missingKeys: CardProblem[];
  /** In document order; those behind a missing `img_key` are left out. */
  images: CardImage[];
}

/** A report that is being written. */
interface Walk extends CardReport {
  enough: number;
  components: number;
}

/** One array of components. */
interface ComponentList {
  components: readonly unknown[];
  pointer: string;
  level: number;
  container?: JsonObject;
}

const TAGS: ReadonlySet<unknown> = new Set(CARD_TAGS);
const MAX_TAG_CHARACTERS = 128;

/**
 * Judges a card's structure: the envelope, then component after component as they stand in the document, until there are
 * `enough` problems; the last component may add some more. Images are collected on the way, and at most `enough` missing
 * keys. What stands in containers nested too deep is not looked at, so the walk never goes deeper than a card may nest.
 */
export function walkCard(card: unknown, enough: number): CardReport {
  const walk: Walk = { problems: [], missingKeys: [], images: [], enough, components: 0 };
  const schema = isJsonObject(card) ? member(card, "schema") : undefined;
  if (schema !== CARD_SCHEMA) report(walk, "schema", isJsonObject(card) ? "/schema" : "", schema);
  if (!isJsonObject(card)) return walk;
  const body = member(card, "body");
  const elements = isJsonObject(body) ? member(body, "elements") : undefined;
  if (!isJsonObject(body)) report(walk, "body", "/body", body);
  else if (!Array.isArray(elements)) report(walk, "body-elements", "/body/elements", elements);
  else walkList(walk, { components: elements, pointer: "/body/elements", level: 1 });
  return walk;
}

function walkList(walk: Walk, list: ComponentList): void {
  const { components, pointer, container } = list;
  for (let index = 0; index < components.length && !isFull(walk); index++) {
    const component = components[index];
    if (isJsonObject(component)) walkComponent(walk, component, `${pointer}/${index}`, list);
    else report(walk, "component-object", `${pointer}/${index}`, component, container);
  }
}

function walkComponent(walk: Walk, component: JsonObject, pointer: string, { level, container }: ComponentList): void {
  const tag = member(component, "tag");
  if (!TAGS.has(tag)) report(walk, "component-tag", `${pointer}/tag`, tag, container);
  walk.components += 1;
  if (walk.components === CARD_LIMITS.components + 1) report(walk, "component-count", pointer, component, container);
  for (const link of brokenLinksOf(component)) report(walk, "link", pointer + link, valueAt(component, link));
  collectImage(walk, component, pointer);
  const field = childFieldOf(component);
  if (field === undefined) return;
  const children = component[field];
  const childPointer = `${pointer}/${field}`;
  if (!Array.isArray(children)) report(walk, "child-array", childPointer, children, component);
  else if (level === CARD_LIMITS.levels) report(walk, "depth", childPointer, children, component);
  else walkList(walk, { components: children, pointer: childPointer, level: level + 1, container: component });
}

function collectImage({ missingKeys, images, enough }: Walk, component: JsonObject, pointer: string): void {
  const imgKey = imageKeyOf(component);
  if (imgKey === undefined || isCardLink(imgKey)) return;
  if (imgKey !== "" && missingKeys.length === 0) images.push({ pointer, imgKey });
  if (imgKey === "" && missingKeys.length < enough) {
    const value = member(component, "img_key");
    missingKeys.push({ rule: "image-key", message: CARD_MESSAGES["image-key"], pointer: `${pointer}/img_key`, value });
  }
}

function report(walk: Walk, rule: CardRule, pointer: string, value: unknown, container?: JsonObject): void {
  const message = rule === "component-tag" ? CARD_MESSAGES[rule] + tagText(value) : CARD_MESSAGES[rule];
  walk.problems.push({ rule, message, pointer, value, container });
}

/** Whether the walk ends here. */
function isFull(walk: Walk): boolean {
  return walk.problems.length >= walk.enough;
}

/** A tag as its message shows it: a missing one as `null`, one that is no scalar by its type, a long one cut. */
export function tagText(tag: unknown): string {
  if (Array.isArray(tag)) return "array";
  if (isJsonObject(tag)) return "object";
  const text = String(tag ?? null);
  return text.length > MAX_TAG_CHARACTERS ? `${text.slice(0, MAX_TAG_CHARACTERS).toWellFormed()}…` : text;
}

function valueAt(component: JsonObject, pointer: string): unknown {
  let value: unknown = component;
  for (const key of pointer.slice(1).split("/")) value = isJsonObject(value) ? member(value, key) : undefined;
  return value;
}
