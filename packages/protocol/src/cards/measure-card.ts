import { childFieldOf } from "./component.ts";
import { isJsonObject, member } from "./json-object.ts";

/** How much of what is limited a card has; {@link CARD_LIMITS} says how much it may have. */
export interface CardMeasures {
  /** Containers and all that stands in them, one each. */
  components: number;
  /** Arrays of components within one another; `body.elements` is the first. 0 without one. */
  levels: number;
}

/**
 * Counts what a card is made of, whatever it is: what is no object counts as no component. Nothing is too deeply nested for
 * it.
 *
 * @param card a JSON value.
 */
export function measureCard(card: unknown): CardMeasures {
  const body = isJsonObject(card) ? member(card, "body") : undefined;
  const elements = isJsonObject(body) ? member(body, "elements") : undefined;
  const measures: CardMeasures = { components: 0, levels: 0 };
  const left: { list: unknown; level: number }[] = [{ list: elements, level: 1 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { list, level } = next;
    if (!Array.isArray(list)) continue;
    measures.levels = Math.max(measures.levels, level);
    for (const component of list) {
      if (!isJsonObject(component)) continue;
      measures.components += 1;
      const field = childFieldOf(component);
      if (field !== undefined) left.push({ list: component[field], level: level + 1 });
    }
  }
  return measures;
}
