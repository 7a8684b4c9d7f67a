import { itemSpans, memberSpans, type Span } from "../json-member.ts";
import { childFieldOf, imageKeyOf, isCardLink } from "./component.ts";
import { isJsonObject, type JsonObject, member } from "./json-object.ts";

/** A text that takes the place of a part of another. */
interface Change extends Span {
  text: string;
}

/**
 * The text of a card with the `img_url` of every image that has only an `img_key`
 * (docs/contract/cards.md#what-is-checked); a key that is a URL is used as it is. Nothing else of the text changes, and
 * what it says is that of `JSON.parse`, with the address of each image added: of repeated keys the last one counts.
 *
 * @param json the card's JSON text.
 * @param card what `JSON.parse` makes of it, which {@link checkCard} has accepted.
 * @param addressByKey the resolved URL of each key in the result of that check.
 * @throws Error when a key is missing.
 */
export function applyImages(json: string, card: JsonObject, addressByKey: ReadonlyMap<string, string>): string {
  const body = member(card, "body");
  const elements = isJsonObject(body) ? member(body, "elements") : undefined;
  if (!isJsonObject(body) || !Array.isArray(elements)) throw new Error("the card has not been checked");
  if (!holdsImages(elements)) return json;
  const changes: Change[] = [];
  const bodyAt = spanOf(memberSpans(json), "body");
  changeAll(json, spanOf(memberSpans(json, bodyAt.from), "elements"), elements, addressByKey, changes);
  // What is in a component may stand before its own img_url or behind it.
  changes.sort((a, b) => a.from - b.from);
  let text = "";
  let done = 0;
  for (const change of changes) {
    text += json.slice(done, change.from) + change.text;
    done = change.to;
  }
  return text + json.slice(done);
}

/** Whether any of the components, or of what is in them, is an image without an address. */
function holdsImages(components: readonly unknown[]): boolean {
  return components.some(
    (component) =>
      isJsonObject(component) && (imageKeyOf(component) !== undefined || holdsImages(childrenOf(component))),
  );
}

function childrenOf(component: JsonObject): readonly unknown[] {
  const field = childFieldOf(component);
  const children = field && component[field];
  return Array.isArray(children) ? children : [];
}

function changeAll(
  json: string,
  list: Span,
  components: readonly unknown[],
  addressByKey: ReadonlyMap<string, string>,
  changes: Change[],
): void {
  if (!holdsImages(components)) return;
  const spans = itemSpans(json, list.from);
  for (const [index, component] of components.entries()) {
    const span = spans[index];
    if (span === undefined) throw new Error("the text is not that of the card");
    if (isJsonObject(component) && holdsImages([component])) changeOne(json, span, component, addressByKey, changes);
  }
}

function changeOne(
  json: string,
  { from, to }: Span,
  component: JsonObject,
  addressByKey: ReadonlyMap<string, string>,
  changes: Change[],
): void {
  const spans = memberSpans(json, from);
  const key = imageKeyOf(component);
  if (key !== undefined) {
    const address = JSON.stringify(addressOf(key, addressByKey));
    const nothing = spans.get("img_url");
    const end = to - 1;
    changes.push(nothing ? { ...nothing, text: address } : { from: end, to: end, text: `,"img_url":${address}` });
  }
  const field = childFieldOf(component);
  if (field) changeAll(json, spanOf(spans, field), childrenOf(component), addressByKey, changes);
}

function spanOf(spans: ReadonlyMap<string, Span>, name: string): Span {
  const span = spans.get(name);
  if (span === undefined) throw new Error("the text is not that of the card");
  return span;
}

function addressOf(key: string, addressByKey: ReadonlyMap<string, string>): string {
  if (isCardLink(key)) return key;
  const address = addressByKey.get(key);
  if (address === undefined) throw new Error(`img_key ${JSON.stringify(key)} has not been resolved`);
  return address;
}
