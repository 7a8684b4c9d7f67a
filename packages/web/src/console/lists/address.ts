import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** Rows of a page of a list. */
export const PAGE_SIZE = 20;

/**
 * What a list shows of all there is, kept in the page's address, so that it survives a reload and can be sent to others.
 * A change of anything but the page begins at the first page again.
 */
export function useListAddress() {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: Readonly<Record<string, string | undefined>>) => {
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          next.delete("page");
          for (const [name, value = ""] of Object.entries(changes)) {
            if (value === "") next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      );
    },
    [setParams],
  );
  const page = Number(params.get("page"));
  return {
    text: (name: string) => params.get(name) ?? "",
    /** One of a list of values; undefined for none of them. */
    oneOf: <Value extends string>(name: string, values: readonly Value[]) =>
      values.find((value) => value === params.get(name)),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    change,
  };
}
