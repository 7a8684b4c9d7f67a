import type { ReactNode } from "react";
import { useCard } from "../card-context.ts";
import type { OmittedNode } from "../model/read-card.ts";

/** Stands where a part of the card is not drawn. */
export function Omitted({ reason, count }: Pick<OmittedNode, "reason" | "count">): ReactNode {
  const { words } = useCard();
  if (reason === "too-many") return <More count={count} />;
  return <p className="pc-omitted">{reason === "too-deep" ? words.tooDeep : words.malformed}</p>;
}

interface MoreProps {
  count: number;
  of?: "entries" | "rows" | "columns";
}

/** Says how much of a long list or table is left out. */
export function More({ count, of = "entries" }: MoreProps): ReactNode {
  const { words } = useCard();
  return count > 0 ? <span className="pc-more">{words.more(count, of)}</span> : null;
}

/** Stands for a list without entries. */
export function Nothing(): ReactNode {
  const { words } = useCard();
  return <p className="pc-omitted">{words.nothing}</p>;
}
