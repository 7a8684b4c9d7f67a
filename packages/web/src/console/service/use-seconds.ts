import { useFormat } from "../../shared/words/format.ts";

/** Writes seconds as a language does; the service tells whole ones, so that none is less than one. */
export function useSeconds(): (seconds: number) => string {
  const format = useFormat();
  return (seconds) => (seconds < 1 ? `< ${format.duration(1_000)}` : format.duration(seconds * 1_000));
}
