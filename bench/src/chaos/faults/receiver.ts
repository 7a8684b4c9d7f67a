import { RECEIVER_MODES } from "../event-receiver.ts";
import { BOTH, type Fault, possible } from "./fault.ts";

/** Misbehaviour of the receiver of events. */
export const RECEIVER_FAULT: Fault = {
  name: "receiver",
  what: `the receiver of events misbehaves: ${RECEIVER_MODES.join(", ")}`,
  engines: BOTH,
  durationMs: [1_000, 6_000],
  endings: [],
  missing: possible,
  async begin({ receiver }, random) {
    receiver.mode = random.pick(RECEIVER_MODES);
    return async () => {
      receiver.mode = "answers";
    };
  },
};
