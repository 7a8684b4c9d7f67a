import { createContext, useContext, useMemo } from "react";
import { useCard } from "../card-context.ts";

const ComponentId = createContext("");

/** Tells the parts of a component its id. */
export const ComponentIdProvider = ComponentId.Provider;

/** One thing that is remembered of a component. */
export interface Kept<T> {
  get(): T | undefined;
  /** Undefined forgets it. */
  set(value: T | undefined): void;
}

/** What is remembered of this component under a name. To change it draws nothing anew. */
export function useKept<T>(name: string): Kept<T> {
  const { memory } = useCard();
  const id = useContext(ComponentId);
  return useMemo(
    () => ({
      get: () => memory.get(id)?.get(name) as T | undefined,
      set(value) {
        const all = memory.get(id) ?? new Map<string, unknown>();
        if (value === undefined) all.delete(name);
        else all.set(name, value);
        if (all.size === 0) memory.delete(id);
        else memory.set(id, all);
      },
    }),
    [memory, id, name],
  );
}
