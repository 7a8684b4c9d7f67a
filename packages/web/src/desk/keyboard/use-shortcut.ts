import { useEffect, useRef } from "react";
import { isOnMac, type Shortcut, shortcutOf } from "./shortcuts.ts";

const isMac = isOnMac();

/** Whether "?" alone shows the shortcuts; who speaks to their computer turns this off, for as long as the page is open. */
export const singleKeys = { areOn: true };

/** Runs something when its shortcut is pressed, unless a dialog is open, for as long as the component is there. */
export function useShortcut(name: Shortcut, run: () => void): void {
  useKey((event) => !event.isComposing && shortcutOf(event, { isMac, isField: isField(event.target) }) === name, run);
}

/** Runs something when "?" is pressed where nobody writes. */
export function useQuestionMark(run: () => void): void {
  useKey(({ key, ctrlKey, metaKey, altKey, target }) => {
    return singleKeys.areOn && key === "?" && !ctrlKey && !metaKey && !altKey && !isField(target);
  }, run);
}

function useKey(isIt: (event: KeyboardEvent) => boolean, run: () => void): void {
  const latest = useRef({ isIt, run });
  useEffect(() => {
    latest.current = { isIt, run };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!latest.current.isIt(event) || isBehindDialog()) return;
      event.preventDefault();
      latest.current.run();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

function isBehindDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}
