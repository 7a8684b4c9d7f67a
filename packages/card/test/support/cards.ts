/** A card of these elements. */
export function cardOf(...elements: unknown[]): Record<string, unknown> {
  return { schema: "2.0", body: { elements } };
}
