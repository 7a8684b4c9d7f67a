/** Attacks a service, as a process of its own: what it is told by its parent is a scenario's name and a site. */
import { execFileSync } from "node:child_process";
import { constants, setPriority } from "node:os";
import { inspect } from "node:util";
import { cpuSecondsOf } from "../process-usage.ts";
import type { Deeds, Site } from "./scenario.ts";
import { SCENARIOS } from "./scenarios/index.ts";

/** What the parent says: begin, with everything there is to know, and later end. */
export type Order = { begin: { scenario: string; site: Site } } | "end";
/** What an attack has done, and what it took. */
export interface Effort {
  deeds: Deeds;
  /** How long the attack went on. */
  seconds: number;
  /** Processor time of the attacker; null where the system does not tell. */
  cpuSeconds: number | null;
}
/** What the attacker says in the end. */
export type Outcome = Effort | { failure: string };

const over = new AbortController();

process.on("message", (order: Order) => {
  if (order === "end") over.abort();
  else void attack(order.begin.scenario, order.begin.site);
});
// Without a parent there is nobody to attack for.
process.on("disconnect", () => process.exit(1));

async function attack(name: string, site: Site): Promise<void> {
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (scenario === undefined) return tell({ failure: `there is no attack ${name}` });
  yieldToOthers();
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
 * Gives this process, all its threads, only what no other wants of the processors: it shares the machine with those it
 * attacks and with those who measure, which a real attacker would not. A priority alone would be the calling thread's.
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
