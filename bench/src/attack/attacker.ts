/** Attacks a service from its own process. The parent process sends the name of a scenario and a site. */
import { execFileSync } from "node:child_process";
import { constants, setPriority } from "node:os";
import { inspect } from "node:util";
import { cpuSecondsOf } from "../process-usage.ts";
import { OF_THE_ATTACKER, takePrecedence } from "./precedence.ts";
import type { Deeds, Site } from "./scenario.ts";
import { SCENARIOS } from "./scenarios/index.ts";

/** A message from the parent: begin, with all parameters, and later end. */
export type Order = { begin: { scenario: string; site: Site; realTime: boolean } } | "end";
/** The counts of an attack, its duration and its processor time. */
export interface Effort {
  deeds: Deeds;
  /** Duration of the attack. */
  seconds: number;
  /** Processor time of the attacker; null when the system does not report it. */
  cpuSeconds: number | null;
}
/** The attacker's last message. */
export type Outcome = Effort | { failure: string };

const over = new AbortController();

process.on("message", (order: Order) => {
  if (order === "end") over.abort();
  else void attack(order.begin);
});
// The parent has died: stop attacking.
process.on("disconnect", () => process.exit(1));

async function attack({ scenario: name, site, realTime }: Exclude<Order, "end">["begin"]): Promise<void> {
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (scenario === undefined) return tell({ failure: `there is no attack ${name}` });
  if (realTime) takePrecedence(OF_THE_ATTACKER);
  else yieldToOthers();
  const startedMs = performance.now();
  const cpuBefore = cpuSecondsOf(process.pid);
  try {
    const deeds = await scenario.attack(site, over.signal);
    const seconds = (performance.now() - startedMs) / 1_000;
    const cpuAfter = cpuSecondsOf(process.pid);
    const cpuSeconds = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
    tell({ deeds, seconds, cpuSeconds });
  } catch (error) {
    tell({ failure: inspect(error) });
  }
}

/**
 * Gives this process, with all its threads, only idle processor time: it shares the machine with the service and with
 * the measuring process, which a real attacker would not. A priority would apply to the calling thread only.
 */
function yieldToOthers(): void {
  try {
    execFileSync("chrt", ["--idle", "--all-tasks", "--pid", "0", String(process.pid)], { stdio: "ignore" });
  } catch {
    setPriority(constants.priority.PRIORITY_LOW);
  }
}

function tell(outcome: Outcome): void {
  process.send?.(outcome, () => process.exit(0));
}
