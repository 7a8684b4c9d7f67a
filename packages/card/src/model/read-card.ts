import { isJsonObject, type JsonObject, listOf, member, objectOf } from "./json.ts";
import { DRAWN } from "./limits.ts";
import { type Link, linkOf } from "./links.ts";
import { declaredLocales, localText } from "./locale.ts";
import { cut, firstText } from "./text.ts";

/** A component of a card, or what stands in its place. */
export type CardNode = ElementNode | OmittedNode;

export interface ElementNode {
  kind: "element";
  /** Among its siblings. */
  key: string;
  /** In the card, and the same after an update: by its name wherever it stands, else by its place. */
  id: string;
  tag: string;
  element: JsonObject;
  children: readonly CardNode[];
}

/** What is not drawn, and why. */
export interface OmittedNode {
  kind: "omitted";
  key: string;
  reason: "malformed" | "too-deep" | "too-many";
  /** How many components of this place are left out. */
  count: number;
}

export interface CardHeader {
  title: string;
  subtitle: string;
  icon: string;
  tags: readonly CardNode[];
  template: string;
}

/** How a card stands in the log: what the page around it needs to know. */
export interface CardLayout {
  /** The card takes the whole row, without a bubble. */
  unbubbled: boolean;
  width: "default" | "compact" | "fill";
}

/** A card, read from JSON that may be anything. */
export interface CardModel extends CardLayout {
  header: CardHeader | null;
  link: Link | null;
  nodes: readonly CardNode[];
  /** Something in it needs room: a table, columns, a picture. */
  wide: boolean;
  /** Those of all its components. */
  ids: ReadonlySet<string>;
}

/** Tags whose content has no width of its own. */
const WIDE = new Set(
  "column_set collapsible_panel img image img_combination input textarea select_static select_person select_time date_picker picker_datetime multi_select_static multi_select_person table chart".split(
    " ",
  ),
);
const TAG_CHARS = 64;
const NONE: readonly CardNode[] = [];

/** What is known while a card is read. */
interface Reading {
  /** How many components may follow. */
  components: number;
  wide: boolean;
  ids: Set<string>;
}

/** An array of components: how deep it is, and the id of what it is in. */
interface Place {
  level: number;
  within: string;
}

/** Reads a card. Whatever is wrong with it becomes an omitted node; nothing throws. */
export function readCard(card: unknown, locale: string): CardModel {
  const root = isJsonObject(card) ? card : {};
  const reading: Reading = { components: DRAWN.components, wide: false, ids: new Set() };
  const header = readHeader(root, locale, reading);
  const elements = member(objectOf(root, "body"), "elements");
  const nodes = Array.isArray(elements)
    ? readAll(elements, { level: 1, within: "" }, reading)
    : [omitted("body", "malformed", 1)];
  return {
    ...layoutOf(root),
    header,
    link: linkOf(member(objectOf(root, "card_link"), "url")),
    nodes,
    wide: reading.wide,
    ids: reading.ids,
  };
}

/** Reads how a card stands in the log (docs/contract/cards.md#what-clients-draw). */
export function cardLayout(card: unknown): CardLayout {
  return layoutOf(isJsonObject(card) ? card : {});
}

function layoutOf(root: JsonObject): CardLayout {
  const config = objectOf(root, "config");
  const aligned = [member(config, "horizontal_align"), member(config, "align"), member(root, "align")];
  const width = member(config, "width_mode");
  return {
    unbubbled: aligned.includes("center"),
    width: width === "compact" || width === "fill" ? width : "default",
  };
}

function readHeader(root: JsonObject, locale: string, reading: Reading): CardHeader | null {
  const header = member(root, "header");
  if (!isJsonObject(header)) return null;
  const declared = declaredLocales(objectOf(root, "config"));
  const title = localText(member(header, "title"), locale, declared);
  const subtitle = localText(member(header, "subtitle"), locale, declared);
  const icon = iconToken(member(header, "icon"));
  const pills = listOf(header, "text_tag_list").slice(0, DRAWN.tags).map(asTag);
  const tags = readAll(pills, { level: 1, within: "header" }, reading);
  if (title === "" && subtitle === "" && icon === "" && tags.length === 0) return null;
  const template = member(header, "template");
  return { title, subtitle, icon, tags, template: typeof template === "string" ? template : "default" };
}

/** In the header's list an entry is a pill, whether it says so or not. */
function asTag(entry: unknown): unknown {
  if (typeof entry === "string") return { tag: "text_tag", text: entry };
  return isJsonObject(entry) && member(entry, "tag") === undefined ? { ...entry, tag: "text_tag" } : entry;
}

/** The token of an icon, which is shown as text. */
export function iconToken(icon: unknown): string {
  return typeof icon === "string" ? icon : isJsonObject(icon) ? firstText(icon, ["token", "content"]) : "";
}

function readAll(elements: readonly unknown[], place: Place, reading: Reading): readonly CardNode[] {
  if (elements.length === 0) return NONE;
  if (place.level > DRAWN.levels) return [omitted("deep", "too-deep", elements.length)];
  const nodes: CardNode[] = [];
  const keys = new Keys();
  for (const [index, element] of elements.entries()) {
    if (reading.components <= 0) {
      nodes.push(omitted("rest", "too-many", elements.length - index));
      break;
    }
    reading.components -= 1;
    nodes.push(readOne(element, keys, place, reading));
  }
  return nodes;
}

function readOne(element: unknown, keys: Keys, { level, within }: Place, reading: Reading): CardNode {
  const tag = isJsonObject(element) ? member(element, "tag") : undefined;
  if (!isJsonObject(element) || typeof tag !== "string") return omitted(keys.next("malformed", ""), "malformed", 1);
  if (WIDE.has(tag)) reading.wide = true;
  const kind = cut(tag, TAG_CHARS);
  const name = member(element, "element_id") ?? member(element, "name");
  const key = keys.next(kind, name);
  const id = idOf(kind, name, `${within}/${key}`, reading.ids);
  const children = readAll(childrenOf(element, tag), { level: level + 1, within: id }, reading);
  return { kind: "element", key, id, tag: kind, element, children };
}

/** Of several of one tag and name the first is known by them, and the others by their places. */
function idOf(tag: string, name: unknown, place: string, ids: Set<string>): string {
  const named = typeof name === "string" ? `${tag} ${cut(name, TAG_CHARS)}` : place;
  const id = ids.has(named) ? place : named;
  ids.add(id);
  return id;
}

/**
 * Keys of siblings. A component is known by its tag and its name, else by its place among those alike, so that one that
 * an update puts before it does not take what was entered from it.
 */
class Keys {
  readonly #times = new Map<string, number>();

  next(tag: string, name: unknown): string {
    const base = typeof name === "string" ? `${tag} ${cut(name, TAG_CHARS)}` : tag;
    const nth = this.#times.get(base) ?? 0;
    this.#times.set(base, nth + 1);
    return `${nth} ${base}`;
  }
}

/**
 * Only `elements` holds children, and `columns` those of a column_set; `children` is read where there are no
 * `elements`, and `actions` never (docs/contract/cards.md#what-clients-draw).
 */
function childrenOf(element: JsonObject, tag: string): readonly unknown[] {
  const fields = tag === "column_set" ? ["columns", "elements", "children"] : ["elements", "children"];
  for (const field of fields) {
    const value = member(element, field);
    if (Array.isArray(value)) return value;
  }
  return [];
}

function omitted(key: string, reason: OmittedNode["reason"], count: number): OmittedNode {
  return { kind: "omitted", key, reason, count };
}
