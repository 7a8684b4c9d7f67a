/**
 * How much of a card is drawn. What the service accepts (docs/contract/limits.md) stays below most of these; a preview
 * draws whatever somebody has typed.
 */
export const DRAWN = {
  /** Containers within containers. */
  levels: 16,
  components: 400,
  /** Of one text; the rest is shown when asked for. */
  textChars: 4000,
  /** Of a caption, an option, a cell and everything else on one line. */
  captionChars: 500,
  options: 200,
  rows: 100,
  columns: 20,
  persons: 50,
  pictures: 12,
  tags: 20,
  /** Fixed by the contract (docs/contract/cards.md#what-clients-draw). */
  chartEntries: 8,
  /** Of the line that stands for a card in a list. */
  summaryChars: 120,
} as const;
