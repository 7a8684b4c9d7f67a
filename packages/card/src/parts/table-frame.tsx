import type { ReactNode } from "react";
import { useCard } from "../card-context.ts";

/** Columns from which on a table scrolls rather than squeezes. */
const COLUMNS_SQUEEZED = 5;

/** What scrolls must be reached by those who have no mouse. */
const SCROLLING = { "data-scrolls": true, role: "group", tabIndex: 0 };

interface Props {
  columns: number;
  children: ReactNode;
}

/** A table within the width of the card. */
export function TableFrame({ columns, children }: Props): ReactNode {
  const { words } = useCard();
  return (
    <div className="pc-scroll" {...(columns > COLUMNS_SQUEEZED ? { ...SCROLLING, "aria-label": words.table } : {})}>
      <table className="pc-table">{children}</table>
    </div>
  );
}
