import type { DeliveryState as State } from "@portico/protocol";
import { Pill, type Tone } from "../../shared/ui/pill.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DELIVERIES } from "./words.ts";

const TONES: Record<State, Tone> = {
  PENDING: "accent",
  RETRYING: "warn",
  DELIVERED: "good",
  FAILED: "bad",
  EXHAUSTED: "bad",
  DROPPED: "neutral",
};

/** The state of a delivery, as a pill. */
export function DeliveryState({ status }: { status: State }) {
  const say = useWords(DELIVERIES);
  return <Pill tone={TONES[status]}>{say(status)}</Pill>;
}
