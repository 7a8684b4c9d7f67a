import { type ReactNode, useId } from "react";
import { useCard } from "../card-context.ts";
import { readChart } from "../model/chart.ts";
import { member } from "../model/json.ts";
import { captionOf } from "../model/text.ts";
import { Nothing } from "../parts/omitted.tsx";
import type { PartProps } from "../parts/part.ts";

/** `chart`: bars, each with its label and value. */
export function Chart({ element }: PartProps): ReactNode {
  const { words } = useCard();
  const id = useId();
  const title = captionOf(member(element, "title"));
  const bars = readChart(element);
  if (bars.length === 0) return <Nothing />;
  return (
    <>
      {title !== "" && (
        <p id={id} className="pc-chart-title" dir="auto">
          {title}
        </p>
      )}
      <ul
        className="pc-chart"
        aria-labelledby={title === "" ? undefined : id}
        aria-label={title === "" ? words.chart : undefined}
      >
        {bars.map(({ index, label, value }) => (
          <li key={index} className="pc-bar">
            <span className="pc-bar-label" dir="auto">
              {label}
            </span>
            <span className="pc-bar-track">
              <span className="pc-bar-fill" style={{ inlineSize: `${value}%` }} />
            </span>
            <span className="pc-bar-value">{value}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
