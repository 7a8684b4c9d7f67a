import { childFieldOf, imageKeyOf, isCardLink } from "./component.ts";
import { isJsonObject, type JsonObject, member } from "./json-object.ts";

/**
 * Writes the address of every image that has only an `img_key` to its `img_url`
 * (docs/contract/cards.md#what-is-checked); a key that is itself an address is used as it is. The card given stays as
 * it is, and is the one returned when it needs none.
 *
 * @param card one that {@link checkCard} passed.
 * @param addressByKey the resolved address of each key that the check named.
 * @throws Error when a key is not among them.
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
