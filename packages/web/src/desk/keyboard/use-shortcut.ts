import { useEffect, useRef } from "react";
import { type Shortcut, shortcutOf } from "./shortcuts.ts";

/** Runs something when its shortcut is pressed, unless a dialog is open, for as long as the component is there. */
export function useShortcut(name: Shortcut, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || shortcutOf(event) !== name || isBehindDialog()) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [name]);
}

/** Runs something when "?" is pressed where nobody writes. */
export function useQuestionMark(run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key !== "?" || ctrlKey || metaKey || altKey || isBehindDialog() || isField(target)) return;
      event.preventDefault();
      latest.current();
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
