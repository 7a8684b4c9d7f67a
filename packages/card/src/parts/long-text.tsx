import { type ReactNode, useEffect, useRef, useState } from "react";
import { useCard } from "../card-context.ts";
import { DRAWN } from "../model/limits.ts";
import { cut } from "../model/text.ts";
import { useKept } from "./use-kept.ts";

interface Props {
  text: string;
  /** Draws as much of the text as is shown. */
  children(text: string): ReactNode;
}

/** A text of any length: the beginning, and all of it when somebody asks. */
export function LongText({ text, children }: Props): ReactNode {
  const { words } = useCard();
  const kept = useKept<boolean>("whole");
  const [whole, setWhole] = useState(() => kept.get() === true);
  const opened = useRef<HTMLDivElement>(null);
  const isLong = text.length > DRAWN.textChars;
  if (whole && !isLong) setWhole(false);
  useEffect(() => {
    if (!isLong) kept.set(undefined);
  }, [isLong, kept]);
  useEffect(() => {
    // The button that had the focus is gone.
    if (whole && kept.get() !== true) opened.current?.focus({ preventScroll: true });
    if (whole) kept.set(true);
  }, [whole, kept]);
  if (!isLong) return children(text);
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
