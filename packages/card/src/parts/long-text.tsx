import { type ReactNode, useState } from "react";
import { useCard } from "../card-context.ts";
import { DRAWN } from "../model/limits.ts";
import { cut } from "../model/text.ts";

interface Props {
  text: string;
  /** Draws as much of the text as is shown. */
  children(text: string): ReactNode;
}

/** A text of any length: the beginning, and all of it when somebody asks. */
export function LongText({ text, children }: Props): ReactNode {
  const { words } = useCard();
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= DRAWN.textChars) return children(text);
  return (
    <>
      {children(cut(text, DRAWN.textChars))}
      <button type="button" className="pc-more-button" onClick={() => setWhole(true)}>
        {words.showAll}
      </button>
    </>
  );
}
