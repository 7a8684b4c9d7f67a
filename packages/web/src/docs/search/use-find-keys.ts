import { type KeyboardEvent, type RefObject, useEffect } from "react";
import { flushSync } from "react-dom";

/**
 * The keys of the contents' search: Ctrl K (on a Mac ⌘ K) goes to the field from anywhere, the arrows go through what was
 * found and back, Enter in the field opens the first, Escape empties the field.
 *
 * @param open has the field be seen, where the contents are behind a button.
 * @returns the listener for the keys within the contents.
 */
export function useFindKeys(
  field: RefObject<HTMLInputElement | null>,
  open: () => void,
  clear: () => void,
): (event: KeyboardEvent<HTMLElement>) => void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      // It must be seen to take the focus, and what is typed from now on is for it.
      flushSync(open);
      field.current?.select();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [field, open]);
  return (event) => {
    const isField = event.target === field.current;
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && field.current?.value !== "") {
      clear();
      field.current?.focus();
    } else if (event.key === "Enter" && isField) {
      if (field.current?.value !== "") linksIn(event.currentTarget)[0]?.click();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const stops = [field.current, ...linksIn(event.currentTarget)];
      const at = stops.findIndex((stop) => stop?.matches(":focus"));
      const next = at < 0 ? undefined : stops[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (next === undefined) return;
      event.preventDefault();
      next?.focus();
    }
  };
}

/** The links that can be seen. */
function linksIn(nav: HTMLElement): HTMLElement[] {
  return [...nav.querySelectorAll<HTMLElement>("a")].filter((link) => link.checkVisibility());
}
