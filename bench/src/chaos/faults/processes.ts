import { BOTH, type Fault, possible } from "./fault.ts";

async function nothing(): Promise<void> {}

/** The fault after which events may be late. */
export const CLOCK_FAULT = "clock";

/** Faults of the service's own processes. */
export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: "kill",
    what: "a process is killed",
    engines: BOTH,
    durationMs: [200, 1_500],
    endings: ["SIGKILL"],
    missing: possible,
    async begin({ processes }, random) {
      random.pick(processes).end("SIGKILL");
      return nothing;
    },
  },
  {
    name: "kill-all",
    what: "all processes are killed at once, twice in a row",
    engines: BOTH,
    durationMs: [300, 1_500],
    endings: ["SIGKILL"],
    missing: possible,
    async begin({ processes }) {
      const killAll = () => {
        for (const each of processes) each.end("SIGKILL");
      };
      killAll();
      return async () => killAll();
    },
  },
  {
    name: "stop",
    what: "a process is stopped in order, as for an upgrade",
    engines: BOTH,
    durationMs: [200, 1_500],
    // A process that is still starting ends by the signal itself.
    endings: [0, "SIGTERM"],
    missing: possible,
    async begin({ processes }, random) {
      random.pick(processes).end("SIGTERM");
      return nothing;
    },
  },
  {
    name: "freeze",
    what: "a process stands still for a moment (SIGSTOP)",
    engines: BOTH,
    durationMs: [300, 5_000],
    endings: [],
    missing: possible,
    async begin({ processes }, random) {
      const frozen = random.pick(processes);
      frozen.freeze();
      return async () => frozen.thaw();
    },
  },
  {
    name: "freeze-long",
    what: "a process stands still for longer than every lease, then goes on",
    engines: ["distributed"],
    durationMs: [35_000, 45_000],
    endings: [],
    missing: possible,
    async begin({ processes }, random) {
      const frozen = random.pick(processes);
      frozen.freeze();
      return async () => frozen.thaw();
    },
  },
  {
    name: CLOCK_FAULT,
    what: "the clock of a process jumps by 40 minutes, ahead or back, and returns",
    engines: BOTH,
    durationMs: [500, 4_000],
    endings: [],
    missing: possible,
    async begin({ processes }, random) {
      const wrong = random.pick(processes);
      const byMs = random.pick([40, -40]) * 60_000;
      wrong.setClockAhead(byMs);
      return async () => wrong.setClockAhead(0);
    },
  },
];
