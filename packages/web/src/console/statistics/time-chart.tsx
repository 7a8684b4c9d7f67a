import { useEffect, useRef, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./chart.module.css";
import { type ChartData, heightOf } from "./chart.ts";
import { ChartMarks } from "./chart-marks.tsx";
import { labelledPlaces, ticksUpTo } from "./chart-scale.ts";
import { ChartTable } from "./chart-table.tsx";
import { STATISTICS } from "./words.ts";

const HEIGHT = 180;
const LABEL_WIDTH = 84;
const MARGIN = { top: 8, right: 28, bottom: 24, left: 52 };

/** Numbers over time: drawn, with those under the pointer in words, and as a table. */
export function TimeChart({ chart }: { chart: ChartData }) {
  const say = useWords(STATISTICS);
  const [frame, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const { points, series, name } = chart;
  const ticks = ticksUpTo(Math.max(0, ...points.map((point) => heightOf(chart, point))));
  const inner = Math.max(0, width - MARGIN.left - MARGIN.right);
  const slot = inner / Math.max(1, points.length);
  const top = ticks.at(-1) ?? 1;
  const yOf = (value: number) => MARGIN.top + (HEIGHT - MARGIN.top - MARGIN.bottom) * (1 - value / top);
  const xOf = (index: number) => MARGIN.left + slot * index;
  const shown = pointed === null ? undefined : points[pointed];
  return (
    <div className={styles.chart}>
      <ul className={styles.legend}>
        {series.map(({ key, label, colour }) => (
          <li key={key}>
            <span className={styles.swatch} style={{ background: colour }} />
            {label}
          </li>
        ))}
      </ul>
      <div className={styles.frame} ref={frame}>
        <svg
          role="img"
          aria-label={say("chartOf", { name })}
          width={width}
          height={HEIGHT}
          onPointerMove={({ nativeEvent }) => {
            const index = Math.floor((nativeEvent.offsetX - MARGIN.left) / Math.max(slot, 1e-9));
            setPointed(index >= 0 && index < points.length ? index : null);
          }}
          onPointerLeave={() => setPointed(null)}
        >
          {ticks.map((tick) => (
            <g key={tick} className={styles.tick}>
              <line x1={MARGIN.left} x2={width - MARGIN.right} y1={yOf(tick)} y2={yOf(tick)} />
              <text x={MARGIN.left - 8} y={yOf(tick)} textAnchor="end" dominantBaseline="middle">
                {chart.formatValue(tick)}
              </text>
            </g>
          ))}
          {labelledPlaces(points.length, inner, LABEL_WIDTH, chart.tickUnit).map((index) => (
            <text key={index} className={styles.label} x={xOf(index + 0.5)} y={HEIGHT - 6} textAnchor="middle">
              {chart.formatTick(points[index]?.at ?? 0)}
            </text>
          ))}
          {pointed !== null && (
            <rect
              className={styles.pointed}
              x={xOf(pointed)}
              width={slot}
              y={MARGIN.top}
              height={HEIGHT - MARGIN.top - MARGIN.bottom}
            />
          )}
          <ChartMarks chart={chart} xOf={xOf} yOf={yOf} slot={slot} />
        </svg>
        {shown && pointed !== null && (
          // Said to nobody: the table has it all.
          <div
            className={styles.tip}
            aria-hidden="true"
            style={xOf(pointed) < width / 2 ? { left: xOf(pointed + 1) + 8 } : { right: width - xOf(pointed) + 8 }}
          >
            <strong>{chart.formatTime(shown.at)}</strong>
            {series.map(({ key, label, colour }) => (
              <span key={key}>
                <span className={styles.swatch} style={{ background: colour }} />
                {label}
                <b>{shown.values[key] == null ? "–" : chart.formatValue(shown.values[key])}</b>
              </span>
            ))}
          </div>
        )}
      </div>
      <ChartTable chart={chart} />
    </div>
  );
}

/** The width that an element has, as the window changes. */
function useWidth(): [ref: React.RefObject<HTMLDivElement | null>, width: number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (ref.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
