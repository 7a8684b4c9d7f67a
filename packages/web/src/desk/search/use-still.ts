import { useEffect, useState } from "react";

/** So long nothing has to be typed before the service is asked. */
const STILL_MS = 250;

/** What is typed, once it has stood still for a moment. */
export function useStill(text: string): string {
  const [still, setStill] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setStill(text), STILL_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return still;
}
