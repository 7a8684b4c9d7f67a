import { useEffect, useState } from "react";
import type { SHARED } from "../words/shared.ts";
import type { KeysOf } from "../words/words.ts";

/** How long the outcome stays. */
const SHOWN_MS = 1_500;

/** Copies texts. `outcome` is the word for what came of the last copying, for a moment. */
export function useCopy(): { outcome: KeysOf<typeof SHARED> | undefined; copy: (text: string) => void } {
  const [outcome, setOutcome] = useState<"copied" | "copyFailed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  async function write(text: string): Promise<void> {
    try {
      if ("clipboard" in navigator) await navigator.clipboard.writeText(text);
      else copySelected(text);
      setOutcome("copied");
    } catch {
      setOutcome("copyFailed");
    }
  }
  return { outcome, copy: (text) => void write(text) };
}

/**
 * Copies as the browser's own command does. Pages that came by plain http have nothing else.
 *
 * @throws Error when the browser refuses.
 */
function copySelected(text: string): void {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "visually-hidden";
  field.value = text;
  field.readOnly = true;
  // Beside the button: what is behind an open dialog cannot be selected.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error("the browser does not copy");
}
