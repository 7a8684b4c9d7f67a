import { useMemo } from "react";
import { usePreferences } from "../../shared/look/preferences.ts";
import type { ChartData } from "./chart.ts";
import type { StatsRange } from "./stats-query.ts";

/** How the intervals of a range are said; days are those of UTC, as the service counts them. */
export function useIntervalWords(range: StatsRange): Pick<ChartData, "formatTick" | "tickUnit" | "formatTime"> {
  const { locale } = usePreferences();
  return useMemo(() => {
    const day = { month: "short", day: "numeric" } as const;
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    const forms = {
      "1h": { tick: clock, full: { ...day, ...clock } },
      "24h": { tick: clock, full: { ...day, ...clock } },
      "7d": { tick: day, full: { ...day, ...clock } },
      "30d": { tick: { ...day, timeZone: "UTC" }, full: { ...day, year: "numeric", timeZone: "UTC" } },
    } as const;
    const tick = new Intl.DateTimeFormat(locale, forms[range].tick);
    const full = new Intl.DateTimeFormat(locale, forms[range].full);
    return {
      formatTick: (at) => tick.format(at),
      tickUnit: range === "7d" ? 24 : 1,
      formatTime: (at) => full.format(at),
    };
  }, [locale, range]);
}
