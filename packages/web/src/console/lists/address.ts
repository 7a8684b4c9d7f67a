import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** What a page keeps in its address: what is undefined or empty is taken out, the rest stays. */
export type AddressChange = Readonly<Record<string, string | number | undefined>>;

/** A list's place in its page's address, so that it can be shared, reloaded and gone back to as it is. */
export interface Address {
  params: URLSearchParams;
  /** Goes to another place, which is a step of its own in the browser's history. */
  change: (changes: AddressChange) => void;
  /** Shows another list, from its first page on, in the place of this one. */
  narrow: (changes: AddressChange) => void;
}

/** What an address says of the page of a list, and of the row that is open. */
const FIRST_PAGE = { page: undefined, before: undefined, open: undefined };

/** The address of the page, and what changes it. */
export function useAddress(): Address {
  const [params, setParams] = useSearchParams();
  const apply = useCallback(
    (changes: AddressChange, replace: boolean) =>
      setParams((before) => changed(before, changes), { preventScrollReset: true, replace }),
    [setParams],
  );
  const change = useCallback((changes: AddressChange) => apply(changes, false), [apply]);
  const narrow = useCallback((changes: AddressChange) => apply({ ...FIRST_PAGE, ...changes }, true), [apply]);
  return { params, change, narrow };
}

function changed(before: URLSearchParams, changes: AddressChange): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  return next;
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

/** The highest page that the service counts to. */
const LAST_PAGE = 1_000_000;

/** The page of a list that an address asks for. */
export function pageIn(params: URLSearchParams): number {
  return Math.min(wholeNumber(params.get("page"), 1) ?? 1, LAST_PAGE);
}
