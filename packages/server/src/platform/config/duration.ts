const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration such as `500ms`, `10s`, `2m`, `24h` or `30d` into milliseconds; null when it is invalid. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text);
  const unitMs = UNIT_MS[match?.[2] ?? ""];
  return match && unitMs !== undefined ? Number(match[1]) * unitMs : null;
}
