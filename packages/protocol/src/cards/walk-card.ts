import { brokenLinksOf, childFieldOf, imageKeyOf, isCardLink } from "./component.ts";
import { CARD_LIMITS, CARD_MESSAGES, CARD_SCHEMA, CARD_TAGS, type CardRule } from "./contract.ts";
import { isJsonObject, type JsonObject, member } from "./json-object.ts";

/** A broken rule and its place. */
export interface CardProblem {
  rule: CardRule;
  /** The contract's message. */
  message: string;
  /** JSON pointer (RFC 6901) of the invalid value, or of the place of a missing one. */
  pointer: string;
  /** The invalid value. */
  value: unknown;
  /**
   * The component whose child field contains it; undefined directly in the body, and for values that are not
   * components.
   */
  container?: JsonObject;
}

/** An image whose `img_key` is a fileKey, which only the service can resolve. */
export interface CardImage {
  /** JSON pointer (RFC 6901) of the component. */
  pointer: string;
  imgKey: string;
}

/** The results of checking a card, except for its size. */
export interface CardReport {
  /** Structural problems, in the contract's order of answers (docs/contract/cards.md). */
  problems: CardProblem[];
  /** Images without a valid `img_key`, in document order. They matter only when structure and size are valid. */
  missingKeys: CardProblem[];
  /** In document order; those after a missing `img_key` are left out. */
  images: CardImage[];
}

/** A report in progress. */
interface Walk extends CardReport {
  enough: number;
  components: number;
}

/** An array of components. */
interface ComponentList {
  components: readonly unknown[];
  pointer: string;
  level: number;
  container?: JsonObject;
}

const TAGS: ReadonlySet<unknown> = new Set(CARD_TAGS);
const MAX_TAG_CHARACTERS = 128;

/**
 * Checks a card's structure: the envelope, then the components in document order, until there are `enough` problems;
 * the last component may add more than one. Collects images on the way, and at most `enough` missing keys. The content
 * of containers that are nested too deep is skipped, which bounds the depth of the walk.
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

/** Whether to stop. */
function isFull(walk: Walk): boolean {
  return walk.problems.length >= walk.enough;
}

/** A tag as the message shows it: a missing one as `null`, a non-scalar as its type, a long one shortened. */
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
