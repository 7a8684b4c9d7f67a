/** A line of numbers over time. */
export interface Series {
  key: string;
  label: string;
  /** A colour of the pages, as CSS. */
  colour: string;
}

/** The numbers of one interval, by the keys of the series; null where there is none to show. */
export interface ChartPoint {
  /** When the interval begins, in epoch milliseconds. */
  at: number;
  values: Readonly<Record<string, number | null>>;
}

/** What a chart shows. */
export interface ChartData {
  name: string;
  /** From the base upwards where they are stacked. */
  series: readonly Series[];
  points: readonly ChartPoint[];
  /** Stacked bars for numbers of things, lines for measures. */
  kind: "bars" | "lines";
  formatValue: (value: number) => string;
  /** The interval as an axis says it: short. */
  formatTick: (at: number) => string;
  /** How many intervals have the same short name; 1 where it is left out. */
  tickUnit?: number;
  /** The interval in full. */
  formatTime: (at: number) => string;
}

/** The height of a point: of all series together where they are stacked. */
export function heightOf({ series, kind }: ChartData, { values }: ChartPoint): number {
  const heights = series.map(({ key }) => values[key] ?? 0);
  return kind === "bars" ? heights.reduce((sum, each) => sum + each, 0) : Math.max(0, ...heights);
}
