import { type ReactNode, useEffect, useRef, useState } from "react";
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
  const opened = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (whole) opened.current?.focus({ preventScroll: true });
  }, [whole]);
  if (text.length <= DRAWN.textChars) return children(text);
  if (whole) {
    return (
      <div ref={opened} tabIndex={-1} className="pc-opened">
        {children(text)}
      </div>
    );
  }
  return (
    <>
      {children(cut(text, DRAWN.textChars))}
      <button type="button" className="pc-more-button" onClick={() => setWhole(true)}>
        {words.showAll}
      </button>
    </>
  );
}
