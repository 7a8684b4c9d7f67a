import type { CardTag } from "@portico/protocol/cards/contract";

/** A component of a card: a tag, and fields that the messenger reads (docs/contract/cards.md). */
export interface Component<Tag extends CardTag = CardTag> {
  readonly tag: Tag;
  readonly [field: string]: unknown;
}

/** A text, as a string or as a component. */
export type Caption = string | Component<"plain_text" | "text" | "markdown" | "lark_md">;

/** Fields of a component, as the contract names them. */
type Fields = Readonly<Record<string, unknown>> & { tag?: never };

/** A component with any tag and fields, for those that have no function of their own. */
export function component<Tag extends CardTag>(tag: Tag, fields: Fields = {}): Component<Tag> {
  return { tag, ...fields };
}
