import { useEffect, useLayoutEffect, useState } from "react";

/** How many dialogs are drawn, and what had the focus before the first of them: one that follows another goes back there. */
let drawn = 0;
let opener: Element | null = null;

/** Gives the focus back to what a dialog was opened from, once no dialog is drawn any more. Called by the dialog. */
export function useFocusReturn(): void {
  // Asked before the dialog is drawn, which takes the focus.
  useState(() => {
    if (drawn === 0) opener = document.activeElement;
  });
  useLayoutEffect(() => {
    drawn++;
  }, []);
  useEffect(
    () => () => {
      drawn--;
      if (drawn > 0) return;
      // What it was opened from may be gone by what was done.
      const back = opener?.isConnected ? opener : document.querySelector("main");
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    },
    [],
  );
}
