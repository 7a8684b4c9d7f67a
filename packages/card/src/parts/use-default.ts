import { useState } from "react";

/**
 * State that begins with what the card says, and begins anew when an update of the card says something else; what the
 * member has done outlasts all other updates.
 */
export function useDefault<T extends string | boolean>(given: T): [T, (value: T) => void] {
  const [{ from, value }, set] = useState({ from: given, value: given });
  if (from !== given) set({ from: given, value: given });
  return [from === given ? value : given, (next) => set({ from: given, value: next })];
}
