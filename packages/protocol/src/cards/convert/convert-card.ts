import { isJsonObject, type JsonObject, member } from "../index.ts";
import { type CardChange, ChangeLog } from "./changes.ts";
import { convertElements } from "./convert-element.ts";
import { convertHeader } from "./convert-header.ts";
import { firstObject, firstOf, without } from "./read.ts";

export type { CardChange, ChangeKind } from "./changes.ts";

/** A card in the form that the service takes, and what was done to it. */
export interface Conversion {
  card: JsonObject;
  changes: CardChange[];
}

/** Cards are wrapped in calls of an API (twice, and as text) and in exports of other editors. */
const MAX_WRAPPINGS = 4;

/**
 * Rewrites a card of Feishu, of schema 2.0 or of the older form, with components that this service has: each one that it
 * lacks becomes the nearest one, or its text. What the rules refuse beside tags, such as a size, stays as it is.
 *
 * @param value a JSON value.
 * @returns null when the value is no card, or needs no change.
 */
export function convertCard(value: unknown): Conversion | null {
  const log = new ChangeLog();
  const root = unwrap(value, log);
  if (!isJsonObject(root) || !isCard(root)) return null;
  if (member(root, "schema") !== "2.0") log.add("older");
  const elements = convertElements(elementsOf(root), log);
  const { header, locales } = convertHeader(member(root, "header"), log);
  const body = firstObject(root, ["body"]);
  const card = {
    ...without(root, ["elements", "i18n_elements"]),
    schema: "2.0",
    ...(locales.length > 0 && { config: declare(member(root, "config"), locales) }),
    ...(header !== undefined && { header }),
    body: { ...body, elements },
  };
  return log.hasChanged ? { card, changes: log.all } : null;
}

/** Whether a value may be meant as a card. */
function isCard(value: unknown): boolean {
  return isJsonObject(value) && ["body", "elements", "i18n_elements"].some((key) => member(value, key) !== undefined);
}

/** Whether a value holds a card, itself or in what is around it. */
export function holdsCard(value: unknown): boolean {
  return isCard(unwrap(value, new ChangeLog()));
}

function unwrap(value: unknown, log: ChangeLog): unknown {
  let current = value;
  for (let wrappings = 0; wrappings < MAX_WRAPPINGS; wrappings++) {
    if (!isJsonObject(current) || isCard(current)) return current;
    const key = ["card", "dsl", "content"].find((name) => member(current as JsonObject, name) !== undefined);
    if (key === undefined) return current;
    const inner = parsed(member(current, key));
    if (!isJsonObject(inner)) return current;
    log.add("unwrapped", key);
    current = inner;
  }
  return current;
}

/** The content of a message may be a card's JSON as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function elementsOf(root: JsonObject): unknown {
  const body = member(root, "body");
  if (isJsonObject(body) && member(body, "elements") !== undefined) return member(body, "elements");
  const older = member(root, "elements");
  if (older !== undefined) return older;
  const translated = member(root, "i18n_elements");
  if (!isJsonObject(translated)) return [];
  return firstOf(translated, ["zh_cn", "en_us", ...Object.keys(translated)]) ?? [];
}

function declare(config: unknown, locales: readonly string[]): JsonObject {
  const given = isJsonObject(config) ? config : {};
  const known = member(given, "locales");
  const all = [...(Array.isArray(known) ? known : []), ...locales];
  return { ...given, locales: [...new Set(all)] };
}
