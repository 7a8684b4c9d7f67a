import { Pill } from "../shared/ui/pill.tsx";
import { useWords } from "../shared/words/words.ts";
import { useHealth } from "./health.ts";
import { START } from "./words.ts";

/** Whether the service is well, as of a few seconds ago. */
export function HealthPill() {
  const say = useWords(START);
  const { data, isError } = useHealth();
  return (
    <span role="status" aria-label={say("health")}>
      {isError ? (
        <Pill tone="bad">{say("unreachable")}</Pill>
      ) : data === undefined ? (
        <Pill>{say("checking")}</Pill>
      ) : data.isReady ? (
        <Pill tone="good">{say("healthy")}</Pill>
      ) : (
        <Pill tone="bad">
          {data.failed.length === 0 ? say("unhealthy") : say("unhealthyOf", { parts: data.failed.join(", ") })}
        </Pill>
      )}
    </span>
  );
}
