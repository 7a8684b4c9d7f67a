/** A card of the gallery. */
export interface NamedCard {
  name: string;
  card: unknown;
}
