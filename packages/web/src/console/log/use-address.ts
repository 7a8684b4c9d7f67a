import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** What a page keeps in its address: what is undefined or empty is taken out, the rest stays. */
export type AddressChange = Readonly<Record<string, string | number | undefined>>;

/** The address's parameters, so that a list can be shared, reloaded and gone back to as it is. */
export function useAddress(): [params: URLSearchParams, change: (changes: AddressChange) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: AddressChange) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === "") next.delete(name);
            else next.set(name, String(value));
          }
          return next;
        },
        { preventScrollReset: true },
      ),
    [setParams],
  );
  return [params, change];
}

/** A parameter that is one of these; undefined when it is missing or anything else. */
export function oneOf<Value extends string>(text: string | null, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === text);
}

/** A parameter that is a whole number from `min` on; undefined when it is missing or anything else. */
export function wholeNumber(text: string | null, min = 0): number | undefined {
  if (text === null || !/^\d{1,15}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min ? value : undefined;
}
