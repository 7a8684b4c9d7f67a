import { childFieldOf } from "./component.ts";
import { isJsonObject, member } from "./json-object.ts";

/** The measurements of a card that {@link CARD_LIMITS} limits. */
export interface CardMeasures {
  /** All components, including containers and their content. */
  components: number;
  /** The depth of nested component arrays, beginning with `body.elements`; 0 without any. */
  levels: number;
}

/**
 * Measures a card, valid or not: a value that is not an object is not a component. Supports any nesting.
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
