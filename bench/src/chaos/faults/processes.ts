import type { Random } from "../random.ts";
import type { Site } from "../site.ts";
import { BOTH, type Fault, possible } from "./fault.ts";

/** Ends a process; the supervisor starts it again. */
async function endOne(
  signal: "SIGKILL" | "SIGTERM",
  { processes }: Site,
  random: Random,
): Promise<() => Promise<void>> {
  random.pick(processes).end(signal);
  return async () => {};
}

async function freezeOne({ processes }: Site, random: Random): Promise<() => Promise<void>> {
  const frozen = random.pick(processes);
  frozen.freeze();
  return async () => frozen.thaw();
}

/** Faults of the service's own processes. */
export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: "kill",
    what: "a process is killed",
    engines: BOTH,
    durationMs: [200, 1_500],
    endings: ["SIGKILL"],
    missing: possible,
    begin: (site, random) => endOne("SIGKILL", site, random),
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
    begin: (site, random) => endOne("SIGTERM", site, random),
  },
  {
    name: "freeze",
    what: "a process stands still for a moment (SIGSTOP)",
    engines: BOTH,
    durationMs: [300, 5_000],
    endings: [],
    missing: possible,
    begin: freezeOne,
  },
  {
    name: "freeze-long",
    what: "a process stands still for longer than every lease, then goes on",
    engines: ["distributed"],
    durationMs: [35_000, 45_000],
    endings: [],
    missing: possible,
    begin: freezeOne,
  },
  {
    name: "clock",
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
