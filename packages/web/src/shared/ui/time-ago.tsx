import { useFormat, useNow } from "../words/format.ts";

/** Often enough for what is said in minutes. */
const RENEWED_MS = 20_000;

/** A time as a person says it; the exact one on hover. `at` in epoch milliseconds. */
export function TimeAgo({ at }: { at: number }) {
  const format = useFormat();
  const now = useNow(RENEWED_MS);
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {format.relative(at, now)}
    </time>
  );
}
