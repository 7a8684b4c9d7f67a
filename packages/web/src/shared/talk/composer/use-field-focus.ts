import { type RefObject, useEffect } from "react";
import { flushSync } from "react-dom";

/** Who opens a conversation writes next; on a phone the keyboard would cover what they came to read. */
export function useFieldFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [field]);
}

/** Draws what `change` puts into the text, with the caret at `caret`, before the next key comes: it is typed there. */
export function changeText(field: RefObject<HTMLTextAreaElement | null>, caret: number, change: () => void): void {
  flushSync(change);
  field.current?.focus();
  field.current?.setSelectionRange(caret, caret);
}
