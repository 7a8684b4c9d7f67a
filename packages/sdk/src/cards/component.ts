import type { CardTag } from "@portico/protocol";

/** A component of a card: a tag, and fields that the messenger reads (docs/contract/cards.md). */
export interface Component<Tag extends CardTag = CardTag> {
  readonly tag: Tag;
  readonly [field: string]: unknown;
}

/** A text, as it is or as a component. */
export type Caption = string | Component<"plain_text" | "text" | "markdown" | "lark_md">;

/** Fields of a component, as the contract names them. */
type Fields = Readonly<Record<string, unknown>> & { tag?: never };

/** Any component with any fields: for what has no function of its own. */
export function component<Tag extends CardTag>(tag: Tag, fields: Fields = {}): Component<Tag> {
  return { tag, ...fields };
}
