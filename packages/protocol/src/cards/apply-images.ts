import { childFieldOf, imageKeyOf, isCardLink } from "./component.ts";
import { isJsonObject, type JsonObject, member } from "./json-object.ts";

/**
 * Sets the `img_url` of every image that has only an `img_key` (docs/contract/cards.md#what-is-checked); a key that is
 * a URL is used as it is. The given card is not modified, and is returned itself when there is nothing to set.
 *
 * @param card a card that {@link checkCard} accepted.
 * @param addressByKey the resolved URL of each key in the result of that check.
 * @throws Error when a key is missing.
 */
export function applyImages(card: JsonObject, addressByKey: ReadonlyMap<string, string>): JsonObject {
  const body = member(card, "body");
  const elements = isJsonObject(body) ? member(body, "elements") : undefined;
  if (!isJsonObject(body) || !Array.isArray(elements)) throw new Error("the card has not been checked");
  const applied = applyToAll(elements, addressByKey);
  return applied === elements ? card : { ...card, body: { ...body, elements: applied } };
}

function applyToAll(components: readonly unknown[], addressByKey: ReadonlyMap<string, string>): readonly unknown[] {
  const applied = components.map((component) =>
    isJsonObject(component) ? applyToOne(component, addressByKey) : component,
  );
  return applied.some((component, index) => component !== components[index]) ? applied : components;
}

function applyToOne(component: JsonObject, addressByKey: ReadonlyMap<string, string>): JsonObject {
  const key = imageKeyOf(component);
  const addressed = key === undefined ? component : { ...component, img_url: addressOf(key, addressByKey) };
  const field = childFieldOf(component);
  const children = field && component[field];
  if (!field || !Array.isArray(children)) return addressed;
  const applied = applyToAll(children, addressByKey);
  return applied === children ? addressed : { ...addressed, [field]: applied };
}

function addressOf(key: string, addressByKey: ReadonlyMap<string, string>): string {
  if (isCardLink(key)) return key;
  const address = addressByKey.get(key);
  if (address === undefined) throw new Error(`img_key ${JSON.stringify(key)} has not been resolved`);
  return address;
}
