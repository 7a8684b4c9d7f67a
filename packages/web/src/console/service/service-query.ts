import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { appKey } from "../app/app-queries.ts";
import { oneOf } from "../lists/address.ts";

const DAY_MS = 86_400_000;

/** The ranges that can be chosen, each up to now. Who waits changes all the time, but many days take long to count. */
const RANGES = {
  "24h": { days: 1, renewedMs: 10_000 },
  "7d": { days: 7, renewedMs: 30_000 },
  "30d": { days: 30, renewedMs: 60_000 },
} as const;
export type ServiceRange = keyof typeof RANGES;
export const SERVICE_RANGES = Object.keys(RANGES) as ServiceRange[];

/** The range in an address; a day when there is none. */
export function serviceRangeOf(params: URLSearchParams): ServiceRange {
  return oneOf(params.get("range"), SERVICE_RANGES) ?? "24h";
}

/** How an application's desk does. */
export function useDeskStats(appId: string, range: ServiceRange) {
  const { days, renewedMs } = RANGES[range];
  return useQuery({
    queryKey: [...appKey(appId), "desk-stats", range],
    queryFn: ({ signal }) => {
      const to = Date.now();
      const query = { from: to - days * DAY_MS, to };
      return consoleApi.getDeskStats({ params: { appId }, query }, { signal });
    },
    refetchInterval: renewedMs,
    placeholderData: keepPreviousData,
  });
}

/** How a desk does, as the console's API shows it. */
export type DeskStats = Awaited<ReturnType<typeof consoleApi.getDeskStats>>;
export type AgentFigures = DeskStats["agents"][number];
/** Seconds within which half and nine tenths were; null without any. */
export type Seconds = DeskStats["waitingSeconds"];
