import { useTick } from "./use-tick.ts";

/** Who waits longer than this has waited long. */
const LATE_MS = 120_000;

/** The time since a moment, as a clock that ticks. `since` in epoch milliseconds. */
export function Elapsed({
  since,
  className,
  label,
}: {
  since: number;
  className?: string;
  label: (time: string) => string;
}) {
  const elapsedMs = useTick() - since;
  const text = clockText(elapsedMs);
  return (
    <span className={className} title={label(text)} data-late={elapsedMs >= LATE_MS || undefined}>
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden">{label(text)}</span>
    </span>
  );
}

/** 0:07, 12:40, 1:02:33 */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const ends = [seconds % 60, ...(hours > 0 ? [minutes] : [])].reverse().map((each) => String(each).padStart(2, "0"));
  return [hours > 0 ? hours : minutes, ...ends].join(":");
}
