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
      // Undefined on pages that came by plain http.
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("copyFailed");
    }
  }
  return { outcome, copy: (text) => void write(text) };
}
