import { type KeyboardEvent, useState } from "react";

/**
 * Which of the options the keyboard is on, and what keys do while there are any.
 *
 * @param list names what the options are for: in another list the keyboard begins at the first of them again.
 */
export function useOptionKeys<Option>(list: string, options: readonly Option[], onChoose: (chosen: Option) => void) {
  const [chosen, setChosen] = useState({ list, at: 0 });
  const current = Math.min(chosen.list === list ? chosen.at : 0, options.length - 1);

  /** @returns whether the key was for the list. */
  function takeKey(event: KeyboardEvent): boolean {
    const option = options[current];
    if (option === undefined) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen({ list, at: (current + step + options.length) % options.length });
    } else if (event.key === "Enter" || event.key === "Tab") {
      setChosen({ list, at: 0 });
      onChoose(option);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  return { current, takeKey };
}
