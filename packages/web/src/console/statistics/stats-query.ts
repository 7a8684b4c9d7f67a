import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { oneOf } from "../lists/address.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The ranges that can be chosen, each up to now: so many intervals of this length. */
export const STATS_RANGES = {
  "1h": { interval: "minute", intervalMs: MINUTE_MS, count: 60 },
  "24h": { interval: "hour", intervalMs: HOUR_MS, count: 24 },
  "7d": { interval: "hour", intervalMs: HOUR_MS, count: 7 * 24 },
  "30d": { interval: "day", intervalMs: 24 * HOUR_MS, count: 30 },
} as const;
export type StatsRange = keyof typeof STATS_RANGES;
export const STATS_RANGE_NAMES = Object.keys(STATS_RANGES) as StatsRange[];

/** The newest interval goes on growing. */
const RENEWED_MS = 15_000;

/** The range in an address; a day when there is none. */
export function statsRangeOf(params: URLSearchParams): StatsRange {
  return oneOf(params.get("range"), STATS_RANGE_NAMES) ?? "24h";
}

/** An application's numbers over a range. */
export function useStats(appId: string, range: StatsRange) {
  const { interval, intervalMs, count } = STATS_RANGES[range];
  return useQuery({
    queryKey: ["app", appId, "stats", range],
    queryFn: ({ signal }) => {
      const to = Date.now();
      const query = { interval, from: to - (count - 1) * intervalMs, to };
      return consoleApi.getStats({ params: { appId }, query }, { signal });
    },
    refetchInterval: RENEWED_MS,
    placeholderData: keepPreviousData,
  });
}

/** An application's numbers, as the console's API shows them. */
export type Stats = Awaited<ReturnType<typeof consoleApi.getStats>>;
