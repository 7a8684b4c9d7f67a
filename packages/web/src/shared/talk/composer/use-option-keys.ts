import { type KeyboardEvent, useState } from "react";

/** Which of the options the keyboard is on, and what keys do while there are any. */
export function useOptionKeys<Option>(options: readonly Option[], onChoose: (chosen: Option) => void) {
  const [at, setAt] = useState(0);
  const current = Math.min(at, options.length - 1);

  /** @returns whether the key was for the list. */
  function takeKey(event: KeyboardEvent): boolean {
    const chosen = options[current];
    if (chosen === undefined) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setAt((current + step + options.length) % options.length);
    } else if (event.key === "Enter" || event.key === "Tab") {
      setAt(0);
      onChoose(chosen);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  return { current, takeKey };
}
