import { CARD_CHILD_FIELDS, CARD_IMAGE_TAGS, CARD_LINK_FIELDS, type CardChildField } from "./contract.ts";
import { isJsonObject, type JsonObject, member } from "./json-object.ts";

const IMAGE_TAGS: ReadonlySet<unknown> = new Set(CARD_IMAGE_TAGS);
const NONE: readonly string[] = [];

/** Whether a value is an allowed link. The scheme must be in lower case. */
export function isCardLink(value: unknown): value is string {
  return typeof value === "string" && (value.startsWith("http://") || value.startsWith("https://"));
}

/**
 * The field with a component's children: the first present one (docs/contract/cards.md#what-is-checked). Null counts as
 * absent.
 */
export function childFieldOf(component: JsonObject): CardChildField | undefined {
  for (const field of CARD_CHILD_FIELDS) if (isPresent(member(component, field))) return field;
  return undefined;
}

/** JSON pointers, relative to the component, of its invalid links (docs/contract/cards.md#what-is-checked). */
export function brokenLinksOf(component: JsonObject): readonly string[] {
  let broken = NONE;
  for (const field of CARD_LINK_FIELDS) {
    const link = member(component, field);
    if (isPresent(link) && !isCardLink(link)) broken = [...broken, `/${field}`];
  }
  const action = member(component, "action");
  if (isJsonObject(action)) {
    const link = member(action, "url");
    if (isPresent(link) && !isCardLink(link)) broken = [...broken, "/action/url"];
  }
  return broken;
}

/**
 * The `img_key` of an image without URL (docs/contract/cards.md#what-is-checked), empty when it is missing; undefined
 * for every other component.
 */
export function imageKeyOf(component: JsonObject): string | undefined {
  if (!IMAGE_TAGS.has(member(component, "tag"))) return undefined;
  if (isPresent(member(component, "img_url")) || isPresent(member(component, "url"))) return undefined;
  const key = member(component, "img_key");
  return typeof key === "string" ? key : "";
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
