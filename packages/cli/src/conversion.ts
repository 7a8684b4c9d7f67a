import type { CardChange, ChangeKind } from "@portico/protocol/cards/convert";

/** What each kind of change is in words; `times` is empty for one. */
const IN_WORDS: Readonly<Record<ChangeKind, (change: CardChange, times: string) => string>> = {
  unwrapped: ({ from }) => `took the card out of "${from}"`,
  older: () => "moved its elements into schema 2.0",
  replaced: ({ from, to }, times) => `${from} became ${to}${times}`,
  dropped: ({ from }, times) => `left ${from} out${times}: there is nothing like it here`,
  moved: ({ from, to }, times) => `${from} stands in ${to} here${times}`,
  unlinked: ({ from }, times) => `left the address in ${from} out${times}: only http and https are accepted`,
  pictures: ({ count }) =>
    `to do: pictures with keys of Feishu, ${count}: \`portico upload FILE\` gives a fileKey, or give an address`,
  variables: ({ count }) => `to do: texts with variables, which are not filled in here, ${count}`,
};

/** A line that says what a conversion did, or what it left to be done. */
export function changeLine(change: CardChange): string {
  return IN_WORDS[change.kind](change, change.count === 1 ? "" : `, ${change.count} times`);
}
