import { useInsertionEffect } from "react";

type Source = () => boolean;

const sources = new Set<Source>();

/** Whether something that was written on the page would be lost with it. */
export function hasUnsent(): boolean {
  return [...sources].some((source) => source());
}

/**
 * Has the browser ask before the page goes, while `source` says that something would be lost with it: what is written is kept in the
 * page's memory alone. It goes on while the part of the page waits for its person to sign in again, when other effects rest.
 */
export function useUnsent(source: Source): void {
  useInsertionEffect(() => {
    if (sources.size === 0) addEventListener("beforeunload", ask);
    sources.add(source);
    return () => {
      sources.delete(source);
      if (sources.size === 0) removeEventListener("beforeunload", ask);
    };
  }, [source]);
}

function ask(event: BeforeUnloadEvent): void {
  if (hasUnsent()) event.preventDefault();
}
