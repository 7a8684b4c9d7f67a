import { useEffect, useState } from "react";
import { ENTRY } from "../model/memory.ts";
import { useKept } from "./use-kept.ts";

/** What the member has made of what the card said. */
export interface Changed<T> {
  from: T;
  value: T;
}

/**
 * State that begins with what the card says, and begins anew when an update of the card says something else; what the
 * member has done outlasts all other updates.
 */
export function useDefault<T extends string | boolean>(given: T): [T, (value: T) => void] {
  const kept = useKept<Changed<T>>(ENTRY);
  const [{ from, value }, set] = useState(() => kept.get() ?? { from: given, value: given });
  if (from !== given) set({ from: given, value: given });
  useEffect(() => {
    if (kept.get()?.from !== given) kept.set(undefined);
  }, [kept, given]);
  function change(next: T): void {
    kept.set({ from: given, value: next });
    set({ from: given, value: next });
  }
  return [from === given ? value : given, change];
}
