const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A number of milliseconds as people say it: 12 ms, 3.4 s, 15 min, 7.5 h, 20,765 days. */
export function durationInWords(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 2 * MINUTE) return `${rounded(ms / SECOND)} s`;
  if (ms < 2 * HOUR) return `${rounded(ms / MINUTE)} min`;
  return ms < 2 * DAY ? `${rounded(ms / HOUR)} h` : `${Math.round(ms / DAY).toLocaleString("en-US")} days`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A text of the service, such as the reason of a refusal, with its long times as people say them. */
export function withDurations(text: string): string {
  return text.replace(/\b\d{4,} ms\b/g, (time) => durationInWords(Number.parseInt(time, 10)));
}
