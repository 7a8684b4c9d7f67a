import type { ChartData } from "./chart.ts";

/** Where the places and the values of a chart are, in pixels. */
interface Scale {
  chart: ChartData;
  xOf: (index: number) => number;
  yOf: (value: number) => number;
  /** The width of one interval. */
  slot: number;
}

/** What a chart draws of its numbers. */
export function ChartMarks(scale: Scale) {
  return scale.chart.kind === "bars" ? <Bars {...scale} /> : <Lines {...scale} />;
}

function Bars({ chart: { points, series }, xOf, yOf, slot }: Scale) {
  // A hair between two bars, as long as they are wide enough to lose one.
  const gap = slot > 4 ? Math.min(slot * 0.25, 6) : 0;
  return points.map(({ at, values }, index) => {
    let base = 0;
    return (
      <g key={at}>
        {series.map(({ key, colour }) => {
          const value = values[key] ?? 0;
          if (value === 0) return null;
          const bottom = yOf(base);
          base += value;
          // What happened is seen, however little it was.
          const height = Math.max(bottom - yOf(base), 1);
          return (
            <rect
              key={key}
              x={xOf(index) + gap / 2}
              y={bottom - height}
              width={Math.max(slot - gap, 1)}
              height={height}
              fill={colour}
              rx={Math.min(2, slot / 4)}
            />
          );
        })}
      </g>
    );
  });
}

function Lines({ chart: { points, series }, xOf, yOf }: Scale) {
  return series.map(({ key, colour }) => {
    const places = points.map(({ values }, index) => {
      const value = values[key];
      return value == null ? null : { x: xOf(index + 0.5), y: yOf(value) };
    });
    const path = places.map((place, index) => {
      if (place === null) return "";
      return `${index > 0 && places[index - 1] !== null ? "L" : "M"}${place.x},${place.y}`;
    });
    return (
      <g key={key} stroke={colour} fill={colour}>
        <path d={path.join("")} fill="none" strokeWidth={1.75} strokeLinejoin="round" />
        {places.map((place, index) => {
          const isAlone = !places[index - 1] && !places[index + 1];
          return place !== null && isAlone && <circle key={place.x} cx={place.x} cy={place.y} r={2.5} stroke="none" />;
        })}
      </g>
    );
  });
}
