import { type RefObject, useEffect } from "react";

/** Who opens a conversation writes next; on a phone the keyboard would cover what they came to read. */
export function useFieldFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [field]);
}

/** Puts the caret behind what was just put into the text, once that is drawn. */
export function focusAt(field: RefObject<HTMLTextAreaElement | null>, caret: number): void {
  requestAnimationFrame(() => {
    field.current?.focus();
    field.current?.setSelectionRange(caret, caret);
  });
}
