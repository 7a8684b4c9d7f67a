import { useEffect, useState } from "react";

/** How long a person may pause between two letters before something is asked for. */
const PAUSE_MS = 300;

/** What a text is once nobody has changed it for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
