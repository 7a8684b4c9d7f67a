import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { appKey } from "../app/app-queries.ts";
import { oneOf } from "../lists/address.ts";

const DAY_MS = 86_400_000;

/** The ranges that can be chosen, each up to now. */
const RANGE_DAYS = { "24h": 1, "7d": 7, "30d": 30 } as const;
export type ServiceRange = keyof typeof RANGE_DAYS;
export const SERVICE_RANGES = Object.keys(RANGE_DAYS) as ServiceRange[];

/** Who waits changes all the time. */
const RENEWED_MS = 10_000;

/** The range in an address; a day when there is none. */
export function serviceRangeOf(params: URLSearchParams): ServiceRange {
  return oneOf(params.get("range"), SERVICE_RANGES) ?? "24h";
}

/** How an application's desk does. */
export function useDeskStats(appId: string, range: ServiceRange) {
  return useQuery({
    queryKey: [...appKey(appId), "desk-stats", range],
    queryFn: ({ signal }) => {
      const to = Date.now();
      const query = { from: to - RANGE_DAYS[range] * DAY_MS, to };
      return consoleApi.getDeskStats({ params: { appId }, query }, { signal });
    },
    refetchInterval: RENEWED_MS,
    placeholderData: keepPreviousData,
  });
}

/** How a desk does, as the console's API shows it. */
export type DeskStats = Awaited<ReturnType<typeof consoleApi.getDeskStats>>;
export type AgentFigures = DeskStats["agents"][number];
/** Seconds within which half and nine tenths were; null without any. */
export type Seconds = DeskStats["waitingSeconds"];
